/**
 * A user who may write in a shared folder and does their worst, in a process of their own with a user id of their own.
 * Arguments: JSON with `share`, the victim's `home`, and either `attack` (done once) or `seed` (attacks at random until
 * standard input ends; each is answered with a line).
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { lstatSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export const ATTACKS = [
  'hidden names to links',
  'hidden names to pipes',
  'the folder to a link',
  'the folder of originals to a link',
  'every name to a link',
  'what is read to pipes',
] as const
export type Attack = (typeof ATTACKS)[number]
export interface AttackRequest {
  share: string
  home: string
  attack?: Attack
  seed?: number
}

const ORIGINALS = '.hangar-originals'
const ID = '01ARZ3NDEKTSV4RRFFQ69G5FAV'
/** As in src/main/files/leftover-names.ts, which another user may not be able to read. */
const tagOf = (id: string) => createHash('sha256').update(id).digest('hex').slice(0, 26)

/** What the victim may have changed in the meantime is no failure of an attack. */
function trying(work: () => void): void {
  try {
    work()
  } catch {
    // The next one.
  }
}

/** What an request's attacks do, and `undo`, which puts everything that was swapped back where it was. */
function attacksOn({ share, home }: AttackRequest): Record<Attack | 'undo', () => void> {
  const dir = join(share, 'sub')
  const originals = join(dir, ORIGINALS)
  const album = join(home, 'album')
  const swapped: { path: string; away: string }[] = []
  let nth = 0
  const swap = (path: string, makeAnother: () => unknown) =>
    trying(() => {
      const away = join(share, `away-${process.pid}-${(nth += 1)}`)
      renameSync(path, away)
      swapped.push({ path, away })
      makeAnother()
    })
  const toLink = (path: string, target: string) => swap(path, () => symlinkSync(target, path))
  const toPipe = (path: string) => swap(path, () => makePipe(path))
  const filesIn = (folder: string) =>
    namesIn(folder)
      .map((name) => ({ name, path: join(folder, name) }))
      .filter(({ path }) => lstatSync(path, { throwIfNoEntry: false })?.isFile() === true)
  const hidden = () => [...filesIn(dir), ...filesIn(originals)].filter(({ name }) => /\.(part|draft|old)$/.test(name))
  const ignoreFiles = [join(share, '.hangarignore'), join(dir, '.hangarignore')]
  return {
    'hidden names to links': () => hidden().forEach(({ path }) => toLink(path, join(home, '.bashrc'))),
    'hidden names to pipes': () => hidden().forEach(({ path }) => toPipe(path)),
    'the folder to a link': () => toLink(dir, album),
    'the folder of originals to a link': () => toLink(originals, join(album, ORIGINALS)),
    'every name to a link': () => filesIn(dir).forEach(({ name, path }) => toLink(path, join(album, name))),
    'what is read to pipes': () => {
      for (const path of ignoreFiles) trying(() => makePipe(path))
      for (const { path } of [...filesIn(originals), ...filesIn(dir)]) if (path.endsWith('.json')) toPipe(path)
    },
    undo: () => {
      for (const path of ignoreFiles) trying(() => rmSync(path))
      for (const { path, away } of swapped.splice(0).reverse())
        trying(() => {
          rmSync(path, { force: true })
          renameSync(away, path)
        })
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
export function plant(share: string, jobIds: readonly string[]): void {
  const dir = join(share, 'sub')
  for (const id of [ID, ...jobIds])
    trying(() => writeFileSync(join(dir, `.hangar-${tagOf(id)}-optimized.part`), 'planted'))
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

function main(request: AttackRequest): void {
  const attacks = attacksOn(request)
  if (request.attack !== undefined) return attacks[request.attack]()
  let state = request.seed ?? 1
  const below = (limit: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
  plant(request.share, [])
  let ended = false
  process.stdin.on('end', () => (ended = true)).resume()
  const originals = join(request.share, 'sub', ORIGINALS)
  const isReplacing = () => namesIn(originals).some((name) => name.endsWith('.json'))
  const next = (): void => {
    // Patient: where everything is swapped all the time, nothing comes to the calls that matter.
    for (let nth = 0; nth < 500; nth += 1) if (isReplacing()) attacks['hidden names to links']()
    attacks[ATTACKS[below(ATTACKS.length)]!]()
    for (let nth = below(100); nth > 0; nth -= 1) namesIn(request.share)
    attacks.undo()
    process.stdout.write('.\n')
    if (ended) process.exit(0)
    setImmediate(next)
  }
  next()
}

if (process.argv[1] === import.meta.filename) main(JSON.parse(process.argv[2]!) as AttackRequest)
