# A recipe for Spack. Untested: it has been written from the list of dependencies, and never been run.
from spack.package import CMakePackage, depends_on, variant


class Scree(CMakePackage):
    """Granular matter as rigid grains with exact Coulomb friction, by the contact dynamics method."""

    license("BSD-3-Clause")  # noqa: F821 (a directive of Spack)

    variant("cholmod", default=True, description="Factor large matrices by CHOLMOD")
    variant("mpi", default=False, description="Run as several processes")

    depends_on("c", type="build")
    depends_on("cmake@3.22:", type="build")
    depends_on("ninja", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("libyaml")
    depends_on("hdf5~mpi")
    depends_on("zlib-api")
    depends_on("libmicrohttpd")
    depends_on("suite-sparse", when="+cholmod")
    depends_on("mpi", when="+mpi")
    depends_on("python@3.9:", type=("build", "run"))
    depends_on("py-numpy", type="run")
    depends_on("py-h5py", type="run")
    depends_on("py-matplotlib", type="run")

    generator = "Ninja"

    def cmake_args(self):
        return [self.define_from_variant("SCREE_CHOLMOD", "cholmod")]
