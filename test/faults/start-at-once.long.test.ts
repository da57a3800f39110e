import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { drawPicture, startCli } from '../cli/harness.ts'
import { practice, startPracticeForAll } from '../cli/for-all-tests.ts'
import { folderForAll } from '../temp-folder.ts'

const ROUNDS = Number(process.env['HANGAR_STARTS'] ?? (process.env['HANGAR_FAULTS'] === 'all' ? 200 : 8))
/** Six commands start within milliseconds of each other and share two processors, or fewer. */
const ROUND_MS = 120_000
vi.setConfig({ testTimeout: ROUNDS * ROUND_MS })

startPracticeForAll({ credits: 1_000_000 })

interface Command {
  args: string[]
  /** One that does not end by itself is asked to end once it has said this. */
  until?: RegExp
}

/** What people start beside each other: by a timer, in a second terminal, from the desktop. */
function commands(pictures: string): Record<string, Command> {
  return {
    run: { args: ['run', pictures, '--yes'] },
    watch: { args: ['watch', pictures], until: /Stop with/ },
    serve: { args: ['serve', '--port', '0'], until: /Open this link/ },
    'practice page': { args: ['serve', '--practice', '--port', '0'], until: /Open this link/ },
    jobs: { args: ['jobs'] },
    status: { args: ['status'] },
    resume: { args: ['resume'] },
    retry: { args: ['retry', '--all'] },
    credits: { args: ['credits'] },
    languages: { args: ['languages'] },
  }
}

interface End {
  name: string
  code: number | null
  said: string
}

async function start(name: string, { args, until }: Command, dataDir: string): Promise<End> {
  const cli = startCli([...args, '--data-dir', dataDir], { env: practice.env })
  if (until !== undefined)
    await cli.said(until).then(
      () => cli.child.kill('SIGTERM'),
      // It ended before that, most often because another has the data folder: its exit status tells.
      () => undefined,
    )
  const { code, stdout, stderr } = await cli.ended
  return { name, code, said: stdout + stderr }
}

/** Every other round is six of the one command that sends; the rest go through all kinds, six at a time. */
function chosen(round: number, all: Record<string, Command>): string[] {
  const names = Object.keys(all)
  if (round % 2 === 1) return Array.from({ length: 6 }, () => 'run')
  return Array.from({ length: 6 }, (_, nth) => names[(round * 3 + nth) % names.length]!)
}

it(`Six commands started at once on a fresh data folder each end well or find it in use, in ${ROUNDS} rounds`, async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const base = folderForAll()
    const name = `round-${round}.jpg`
    await mkdir(join(base, 'pictures'))
    await drawPicture(join(base, 'pictures', name))
    const all = commands(join(base, 'pictures'))
    const names = chosen(round, all)
    const ends = await Promise.all(names.map((kind) => start(kind, all[kind]!, join(base, 'made', 'by', 'one'))))
    expect(ends.filter(({ code }) => code !== 0 && code !== 5)).toEqual([])
    // Of those that want the data folder one gets it, and what is sent is sent once.
    if (names.every((kind) => kind === 'run')) {
      expect(ends.map(({ code }) => code)).toContain(0)
      expect(await practice.charges(name)).toBe(1)
    } else expect(await practice.charges(name)).toBeLessThanOrEqual(1)
  }
})
