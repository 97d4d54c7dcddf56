from spack.package import *


class Epicycle(CMakePackage):
    """Multiscale, structure-preserving and adaptive time integration of mechanical systems."""

    homepage = "https://example.org/epicycle"
    url = "https://example.org/epicycle-0.2.0.tar.gz"
    license("MIT")

    version("0.2.0", sha256="0000000000000000000000000000000000000000000000000000000000000000")

    variant("command", default=True, description="the command and the library of model files")
    variant("sundials", default=False, description="the methods cvode and arkode")
    variant("mpi", default=False, description="sweeps by the processes of mpirun")

    depends_on("c", type="build")
    depends_on("cmake@3.21:", type="build")
    depends_on("pkgconfig", type="build", when="+command")
    depends_on("libyaml", when="+command")
    depends_on("sundials@6", when="+sundials")
    depends_on("mpi", when="+mpi")

    def cmake_args(self):
        return [
            self.define_from_variant("EPICYCLE_COMMAND", "command"),
            self.define_from_variant("EPICYCLE_SUNDIALS", "sundials"),
            self.define_from_variant("EPICYCLE_MPI", "mpi"),
            self.define("EPICYCLE_TESTS", False),
        ]
