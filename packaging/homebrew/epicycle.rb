class Epicycle < Formula
  desc "Multiscale, structure-preserving and adaptive time integration of mechanical systems"
  homepage "https://example.org/epicycle"
  url "https://example.org/epicycle-0.2.0.tar.gz"
  sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  license "MIT"

  depends_on "cmake" => :build
  depends_on "pkgconf" => :build
  depends_on "libyaml"

  def install
    system "cmake", "-S", ".", "-B", "build", "-DEPICYCLE_TESTS=OFF", "-DEPICYCLE_SUNDIALS=OFF", *std_cmake_args
    system "cmake", "--build", "build"
    system "cmake", "--install", "build"
  end

  test do
    system bin/"epicycle", "run", "kepler", "--end", "1", "--out", "orbit.csv", "--quiet"
    assert_match "angular-momentum", (testpath/"orbit.csv").read
  end
end
