import { readFile } from 'node:fs/promises'
import { mountsIn, type Mount } from '../core/filesystem-kind.ts'
import { coalesce } from './coalesce.ts'
import { relativeTo } from './real-path.ts'

/** The mounts inside a folder, relative to it. */
type MountsBelow = ReadonlyMap<string, Mount['network']>

async function mountsBelow(realRoot: string): Promise<MountsBelow> {
  const below = new Map<string, Mount['network']>()
  await readMounts()
  for (const { path, network } of lastRead.mounts) {
    const relative = relativeTo(realRoot, path)
    if (relative !== null) below.set(relative, network)
  }
  return below
}

let lastRead: { text: string; mounts: readonly Mount[] } = { text: '', mounts: [] }

/** Read once for all folders that look at the same time, and taken apart once until it changes. */
const readMounts = coalesce(async () => {
  // Other systems than Linux have no such list: there, the regular scans find what is mounted.
  const text = await readFile('/proc/self/mountinfo', 'utf8').catch(() => '')
  if (text !== lastRead.text) lastRead = { text, mounts: mountsIn(text) }
})

/** What is mounted inside a watched folder, and what was: no event tells of either. */
export class InnerMounts {
  readonly #realRoot: string
  readonly #isEntered: (folder: string) => boolean
  #now: MountsBelow = new Map()
  readonly #seen = new Set<string>()
  #version = 0

  /** `isEntered`: whether a folder belongs to the watched tree. */
  constructor(realRoot: string, isEntered: (folder: string) => boolean) {
    this.#realRoot = realRoot
    this.#isEntered = isEntered
  }

  /** Looks once more. Returns whether something was mounted or unmounted since. */
  async look(): Promise<boolean> {
    const [before, now] = [this.#now, await mountsBelow(this.#realRoot)]
    this.#now = now
    for (const path of now.keys()) this.#seen.add(path)
    const isOther = before.size !== now.size || [...now.keys()].some((path) => !before.has(path))
    if (isOther) this.#version += 1
    return isOther
  }

  /** Grows with everything that is mounted or unmounted. */
  get version(): number {
    return this.#version
  }

  /** The first one that is on a network drive, and so reports no changes. */
  get network(): { path: string; fileSystem: string } | null {
    for (const [path, fileSystem] of this.#now)
      if (fileSystem !== null && this.#isEntered(path)) return { path, fileSystem }
    return null
  }

  /** Whether nothing is mounted any more at this folder: where it is empty now, its files are away and not deleted. */
  isAway(folder: string): boolean {
    return this.#seen.has(folder) && !this.#now.has(folder)
  }

  /** Whether a path is in such a folder. */
  isInAway(relativePath: string): boolean {
    if (this.#seen.size === 0) return false
    for (let end = relativePath.lastIndexOf('/'); end > 0; end = relativePath.lastIndexOf('/', end - 1))
      if (this.isAway(relativePath.slice(0, end))) return true
    return false
  }
}
