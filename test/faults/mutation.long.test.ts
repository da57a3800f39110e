import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CAMPAIGN_MS, SEED, spread } from './campaign.ts'
import { mutate } from './mutate.ts'
import { MUTATIONS, type Mutation } from './mutations.ts'

const ROOT = resolve(import.meta.dirname, '../..')
/** This many in `npm run test:long`, all of them in `npm run test:faults`. */
const SAMPLE = 10
const CHOSEN = spread(MUTATIONS, SAMPLE)

/** Copies of the project in which tests run side by side. */
const COPIES = 2

const copies: string[] = []

beforeAll(() => {
  for (let nth = 0; nth < COPIES; nth += 1) {
    const copy = mkdtempSync(join(tmpdir(), 'hangar-mutation-'))
    for (const name of readdirSync(ROOT).filter((name) =>
      /^(src|test|bench|package\.json|vitest\.config\.ts|tsconfig.*)$/.test(name),
    ))
      cpSync(join(ROOT, name), join(copy, name), { recursive: true })
    symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
    mkdirSync(join(copy, 'out'))
    // Children and the page as they were built: no measure is taken out of them, and no test is left out for want of a build.
    for (const part of ['main', 'renderer']) symlinkSync(join(ROOT, 'out', part), join(copy, 'out', part))
    copies.push(copy)
  }
})

afterAll(() => {
  for (const copy of copies) rmSync(copy, { recursive: true, force: true })
})

interface Outcome {
  passed: string[]
  failed: string[]
  said: string
}

/** Runs the tests whose names hold one of these, in a copy. */
function runTests(copy: string, files: readonly string[], names: readonly string[]): Promise<Outcome> {
  const report = join(copy, 'out', 'report.json')
  rmSync(report, { force: true })
  const pattern = names.map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')
  const args = [
    join(ROOT, 'node_modules/vitest/vitest.mjs'),
    'run',
    '--root',
    copy,
    '--reporter=json',
    `--outputFile=${report}`,
    // The first failure says enough.
    '--bail=1',
    '-t',
    pattern,
    ...new Set(files),
  ]
  const outer = Object.entries(process.env).filter(([name]) => !/^(VITEST|TEST|NODE_ENV|HANGAR_)/.test(name))
  const env = { ...Object.fromEntries(outer), HANGAR_INNER_TESTS: '1' }
  return new Promise((done) => {
    execFile(process.execPath, args, { cwd: copy, env, maxBuffer: 1e8 }, (_error, out, err) => {
      const told = JSON.parse(readFileSync(report, 'utf8')) as {
        testResults: { assertionResults: { fullName: string; status: string }[] }[]
      }
      const tests = told.testResults.flatMap((file) => file.assertionResults)
      const named = (status: string) => tests.filter((test) => test.status === status).map((test) => test.fullName)
      done({ passed: named('passed'), failed: named('failed'), said: `${out}${err}` })
    })
  })
}

/** Whether the named test fails once the measure is gone. */
async function isNoticed(copy: string, mutation: Mutation): Promise<boolean> {
  const { file, test } = mutation
  const path = join(copy, file)
  const source = readFileSync(path, 'utf8')
  writeFileSync(path, mutate(mutation))
  try {
    const { failed } = await runTests(copy, [test.file], [test.name])
    return failed.some((name) => name.includes(test.name))
  } finally {
    writeFileSync(path, source)
  }
}

describe('the tests', () => {
  it('that guard a measure of safety pass while it is there', { timeout: CAMPAIGN_MS }, async () => {
    const { passed, failed, said } = await runTests(
      copies[0]!,
      CHOSEN.map(({ test }) => test.file),
      CHOSEN.map(({ test }) => test.name),
    )
    expect(failed, said).toEqual([])
    for (const { test } of CHOSEN)
      expect(
        passed.some((name) => name.includes(test.name)),
        test.name,
      ).toBe(true)
  })

  const which = `${CHOSEN.length} of ${MUTATIONS.length} such measures`
  it(`notice each of ${which} being taken out (seed ${SEED})`, { timeout: CAMPAIGN_MS }, async () => {
    const left = [...CHOSEN]
    const unnoticed: string[] = []
    await Promise.all(
      copies.map(async (copy) => {
        for (let next = left.shift(); next !== undefined; next = left.shift())
          if (!(await isNoticed(copy, next))) unnoticed.push(next.without)
      }),
    )
    expect(unnoticed).toEqual([])
  })
})
