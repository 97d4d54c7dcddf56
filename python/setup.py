"""Builds the shared library into the package; the wheel is py3-none-PLATFORM. EPICYCLE_BUILD: a folder of cmake whose library is taken."""
import os
import re
import shutil
import subprocess
import sysconfig

from setuptools import setup
from setuptools.command.build_py import build_py
from setuptools.dist import Distribution

try:
    from setuptools.command.bdist_wheel import bdist_wheel
except ImportError:
    from wheel.bdist_wheel import bdist_wheel

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.dirname(HERE)


def version():
    with open(os.path.join(SOURCE, "include", "epicycle.h")) as f:
        return re.search(r'#define EPI_VERSION "(.*)"', f.read()).group(1)


def library():
    """The library of EPICYCLE_BUILD, or one that is built now, which needs libc and libm alone."""
    folder = os.environ.get("EPICYCLE_BUILD")
    if not folder:
        folder = os.path.join(SOURCE, "build-python")
        subprocess.check_call(["cmake", "-S", SOURCE, "-B", folder, "-DEPICYCLE_SUNDIALS=OFF", "-DEPICYCLE_TESTS=OFF"])
        subprocess.check_call(["cmake", "--build", folder, "--target", "epicycle_python", "--parallel", str(os.cpu_count() or 1)])
    return next(os.path.join(folder, "python", "epicycle", name) for name in ("libepicycle.so", "libepicycle.dylib")
                if os.path.exists(os.path.join(folder, "python", "epicycle", name)))


class WithLibrary(build_py):
    def run(self):
        super().run()
        built = library()
        shutil.copy(built, os.path.join(self.build_lib, "epicycle", os.path.basename(built)))
        # models in C are compiled with these
        shutil.copytree(os.path.join(SOURCE, "include"), os.path.join(self.build_lib, "epicycle", "include"), dirs_exist_ok=True)


class Platform(Distribution):
    def has_ext_modules(self):
        return True


class Wheel(bdist_wheel):
    def get_tag(self):
        """Any Python 3; on Linux the oldest glibc that has what the library calls, where it needs nothing else."""
        tag = sysconfig.get_platform().replace("-", "_").replace(".", "_")
        with open(os.path.join(self.bdist_dir, "epicycle", "libepicycle.so") if tag.startswith("linux") else __file__, "rb") as f:
            content = f.read()
        if tag.startswith("linux") and not re.search(rb"libsundials_\w+\.so|libyaml-0\.so", content):
            newest = max((int(a), int(b)) for a, b in re.findall(rb"GLIBC_(\d+)\.(\d+)", content))
            tag = tag.replace("linux_", "manylinux_%d_%d_" % newest)
        return "py3", "none", tag


setup(version=version(), distclass=Platform, cmdclass={"build_py": WithLibrary, "bdist_wheel": Wheel})
