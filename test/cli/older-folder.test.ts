import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readSidecarFile } from '../../src/main/files/sidecar-file.ts'
import { Folders, jsonLines, runCli } from './harness.ts'

/*
 * A data folder and its pictures, as a Hangar with a journal of version 8 left them under `/before`, and what its
 * `hangar jobs --json` said: three pictures done, two refused, and two held by a limit.
 */
const GIVEN = join(import.meta.dirname, 'older-folder')
const folders = new Folders()
let root: string

beforeAll(async () => {
  root = await folders.make('older')
  const packed = gunzipSync(await readFile(join(GIVEN, 'folder.json.gz'))).toString()
  for (const [name, base64] of Object.entries(JSON.parse(packed) as Record<string, string>)) {
    await mkdir(dirname(join(root, name)), { recursive: true })
    await writeFile(join(root, name), Buffer.from(base64, 'base64'))
  }
  moveTo(root)
})
afterAll(() => folders.removeAll())

/** The journal holds whole paths; here they lead to where the test put the files. */
function moveTo(to: string): void {
  const db = new Database(join(root, 'data', 'journal.db'))
  const columns = db
    .prepare<[], { tab: string; col: string }>(
      `SELECT m.name AS tab, c.name AS col FROM sqlite_master m, pragma_table_info(m.name) c
        WHERE m.type = 'table' AND c.type = 'TEXT'`,
    )
    .all()
  for (const { tab, col } of columns)
    db.prepare(`UPDATE ${tab} SET ${col} = replace(${col}, '/before/', ?) WHERE instr(${col}, '/before/') > 0`).run(
      `${to}/`,
    )
  db.close()
}

const hangar = (...args: string[]) => runCli([...args, '--json', '--data-dir', join(root, 'data')])
const dispatches = () => {
  const db = new Database(join(root, 'data', 'journal.db'), { readonly: true })
  const count = db.prepare<[], number>('SELECT count(*) FROM dispatches').pluck().get()
  db.close()
  return count
}

interface Line {
  id: string
  path: string
  state: string
  reason?: { code: string; detail: string | null } | null
  outputs?: { path: string; sha256: string }[]
}

describe('a data folder of a Hangar that kept its details in English', () => {
  it('shows the same jobs, results and reasons', async () => {
    const { code, stdout } = await hangar('jobs')
    expect(code).toBe(0)
    const below = (path: string) => path.slice(root.length + 1)
    const shown = (jsonLines(stdout) as unknown as Line[]).map(({ id, path, state, reason = null, outputs = [] }) => ({
      id,
      path: below(path),
      state,
      reason: reason === null ? null : { code: reason.code, detail: reason.detail },
      outputs: outputs.map((output) => ({ path: below(output.path), sha256: output.sha256 })),
    }))
    expect(shown).toEqual(JSON.parse(await readFile(join(GIVEN, 'jobs.json'), 'utf8')))
  })

  it('pays for nothing again, takes in no result, and leaves the texts as they are', async () => {
    const sidecar = join(root, 'pictures', 'table.jpg.alt.json')
    const before = await readSidecarFile(sidecar)
    expect(before?.translations).toHaveLength(2)
    const { code, stdout } = await hangar('run', join(root, 'pictures'), '--practice', '--languages', 'en,de')
    expect(code).toBe(1)
    expect(jsonLines(stdout).at(-1)).toMatchObject({ done: 0, failed: 2, skipped: 9, unknown: 0, requests: 0 })
    expect(dispatches()).toBe(3)
    expect(await readSidecarFile(sidecar)).toEqual(before)
  })

  it('sends what a limit held, once it may', async () => {
    const { code, stdout } = await hangar('run', join(root, 'more'), '--practice', '--languages', 'en', '--yes')
    expect(code).toBe(0)
    expect(jsonLines(stdout).at(-1)).toMatchObject({ done: 2, held: 0 })
    expect(dispatches()).toBe(5)
  })
})
