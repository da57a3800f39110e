/** A user of their own id who may write in a shared folder and does their worst. Argument: JSON with `share`, the victim's `home`, and `attack`. */
import { execFileSync } from 'node:child_process'
import { lstatSync, mkdirSync, readdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export const ATTACKS = [
  'planted names',
  'the folder to a link',
  'the folder of originals to a link',
  'every name to a link',
  'what is read to pipes',
] as const
export type Attack = (typeof ATTACKS)[number]
export interface AttackRequest {
  share: string
  home: string
  attack: Attack
}

const ORIGINALS = '.hangar-originals'

/** What the victim may have changed in the meantime is no failure of an attack. */
function trying(work: () => void): void {
  try {
    work()
  } catch {
    // The next one.
  }
}

function attacksOn({ share, home }: AttackRequest): Record<Attack, () => void> {
  const dir = join(share, 'sub')
  const originals = join(dir, ORIGINALS)
  const album = join(home, 'album')
  let nth = 0
  const swap = (path: string, makeAnother: () => unknown) =>
    trying(() => {
      renameSync(path, join(share, `away-${(nth += 1)}`))
      makeAnother()
    })
  const toLink = (path: string, target: string) => swap(path, () => symlinkSync(target, path))
  const filesIn = (folder: string) =>
    namesIn(folder)
      .map((name) => ({ name, path: join(folder, name) }))
      .filter(({ path }) => lstatSync(path, { throwIfNoEntry: false })?.isFile() === true)
  return {
    'planted names': () => plant(share),
    'the folder to a link': () => toLink(dir, album),
    'the folder of originals to a link': () => toLink(originals, join(album, ORIGINALS)),
    'every name to a link': () => filesIn(dir).forEach(({ name, path }) => toLink(path, join(album, name))),
    'what is read to pipes': () => {
      for (const { path } of [...filesIn(originals), ...filesIn(dir)])
        if (path.endsWith('.json')) swap(path, () => makePipe(path))
    },
  }
}

function makePipe(path: string): void {
  execFileSync('mkfifo', ['-m', '666', path], { stdio: 'ignore' })
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** Names, folders and files that look like Hangar's, or that are larger and deeper than usual. */
function plant(share: string): void {
  const dir = join(share, 'sub')
  trying(() => writeFileSync(join(dir, `.hangar-${'0'.repeat(26)}-optimized.part`), 'planted'))
  trying(() => writeFileSync(join(dir, 'a.jpg.alt.json'), `{"x":${'['.repeat(200_000)}${']'.repeat(200_000)}}`))
  trying(() => execFileSync('mkfifo', ['-m', '666', join(dir, 'pipe.jpg')]))
  trying(() => execFileSync('truncate', ['-s', '1T', join(dir, 'endless.jpg')]))
  trying(() => {
    // Deeper than any path may be long.
    process.chdir(dir)
    for (let level = 0; level < 60; level += 1) {
      mkdirSync('d'.repeat(200))
      process.chdir('d'.repeat(200))
    }
    process.chdir('/')
  })
}

if (process.argv[1] === import.meta.filename) {
  const request = JSON.parse(process.argv[2]!) as AttackRequest
  attacksOn(request)[request.attack]()
}
