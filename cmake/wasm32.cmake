# WebAssembly, by clang with wasi-libc: 128-bit SIMD, no threads. What it makes runs in node (tests/bits/wasi.mjs) or,
# without a main function, in a browser.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_C_COMPILER clang)
set(CMAKE_C_COMPILER_TARGET wasm32-wasi)
set(CMAKE_C_FLAGS_INIT "-isystem /usr/include/wasm32-wasi -msimd128")
# The default stack of 64 kB is too small, and past its end data would be overwritten in silence.
set(CMAKE_EXE_LINKER_FLAGS_INIT "-Wl,-z,stack-size=1048576 -Wl,--stack-first")
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
set(SCREE_NO_THREADS ON)
