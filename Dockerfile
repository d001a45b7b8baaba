# Scree on Debian:  docker build -t scree .   then   docker run --rm -v "$PWD":/work scree run heap.yaml
FROM debian:bookworm-slim AS build
COPY tools/install-packages /tmp/install-packages
RUN /tmp/install-packages && rm -rf /var/lib/apt/lists/*
COPY . /source
WORKDIR /source
RUN make install PREFIX=/usr/local

FROM debian:bookworm-slim
RUN apt-get update -qq && apt-get install -y -qq --no-install-recommends libyaml-0-2 libhdf5-103-1 zlib1g \
    libmicrohttpd12 libcholmod3 libopenblas0-pthread python3 python3-numpy python3-h5py python3-matplotlib \
    && rm -rf /var/lib/apt/lists/*
COPY --from=build /usr/local /usr/local
RUN ldconfig
WORKDIR /work
ENTRYPOINT ["scree"]
