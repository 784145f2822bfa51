class Tflarena < Formula
  desc "Finds the smallest arena of a TensorFlow Lite model"
  homepage "{{.Source}}"
  version "{{.Version}}"
  license "Apache-2.0"

  on_macos do
    on_arm do
      url "{{.Source}}/releases/download/v{{.Version}}/tflarena-{{.Version}}-darwin-arm64.tar.gz"
      sha256 "{{.Sums.darwin_arm64}}"
    end
    on_intel do
      url "{{.Source}}/releases/download/v{{.Version}}/tflarena-{{.Version}}-darwin-amd64.tar.gz"
      sha256 "{{.Sums.darwin_amd64}}"
    end
  end

  on_linux do
    on_arm do
      url "{{.Source}}/releases/download/v{{.Version}}/tflarena-{{.Version}}-linux-arm64.tar.gz"
      sha256 "{{.Sums.linux_arm64}}"
    end
    on_intel do
      url "{{.Source}}/releases/download/v{{.Version}}/tflarena-{{.Version}}-linux-amd64.tar.gz"
      sha256 "{{.Sums.linux_amd64}}"
    end
  end

  def install
    bin.install "tflarena"
    man1.install "man/tflarena.1"
    bash_completion.install "completions/tflarena.bash" => "tflarena"
    zsh_completion.install "completions/_tflarena"
    fish_completion.install "completions/tflarena.fish"
  end

  test do
    assert_match "REQUIRES", shell_output("#{bin}/tflarena analyze builtin:blazeface")
  end
end
