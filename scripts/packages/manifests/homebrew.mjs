/** For Homebrew: a cask of the desktop app on macOS, and a formula of the command line, which takes the Node that Homebrew has. */
import { inEachLanguage } from '../desktop/texts.mjs'

/** `[name, text]` of each file. */
export function homebrewManifests({ version, homepage, download, license, files: { macArm64, macX64, npm } }) {
  const [, { comment }] = inEachLanguage((entry) => entry)[0]
  return [
    [
      'Casks/hangar-desktop.rb',
      `cask "hangar-desktop" do
  arch arm: "arm64", intel: "x64"

  version ${text(version)}
  sha256 arm:   ${text(macArm64.sha256)},
         intel: ${text(macX64.sha256)}

  url "${download.replace(version, '#{version}')}/hangar-desktop-#{version}-mac-#{arch}.dmg"
  name "Hangar"
  desc ${text(comment)}
  homepage ${text(homepage)}

  app "Hangar.app"
end
`,
    ],
    [
      'Formula/hangar.rb',
      `class Hangar < Formula
  desc ${text(comment)}
  homepage ${text(homepage)}
  url ${text(npm.url)}
  sha256 ${text(npm.sha256)}
  license ${text(license)}

  depends_on "node"

  def install
    system "npm", "install", *std_npm_args
    bin.install_symlink libexec.glob("bin/*")
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/hangar --version")
  end
end
`,
    ],
  ]
}

/** A string of Ruby, in which nothing is filled in. */
const text = (value) => JSON.stringify(value).replace(/#(?=[{$@])/g, '\\#')
