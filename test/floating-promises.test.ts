import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
const CONFIG = join(ROOT, '.oxlintrc.json')
const FOLDERS = ['src', 'scripts', 'bench', 'test']

/** Lines 2, 3, 4, 6 and 7 start something that nobody awaits. */
const FLOATING = `const work = async () => 1
work()
void work()
work().finally(() => undefined)
const thenable = () => ({ then: Promise.prototype.then })
thenable()
export const click = () => void work()
work().catch(() => undefined)
await work()
`
const REPORTED = [2, 3, 4, 6, 7]

interface Report {
  diagnostics: { code: string; filename: string; labels: { span: { line: number } }[] }[]
}

/** A project of its own with the same text at each of the paths. */
function projectWith(paths: readonly string[]): string {
  const dir = mkdtempSync(join(tmpdir(), 'hangar-lint-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  const compilerOptions = { target: 'ES2024', module: 'NodeNext', strict: false, allowJs: true, noEmit: true }
  writeFileSync(join(dir, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: FOLDERS }))
  writeFileSync(join(dir, 'package.json'), '{"type":"module"}')
  for (const path of paths) {
    mkdirSync(dirname(join(dir, path)), { recursive: true })
    writeFileSync(join(dir, path), FLOATING)
  }
  return dir
}

function lint(dir: string): Report {
  const args = [join(ROOT, 'node_modules/oxlint/bin/oxlint'), '-c', CONFIG, '--format=json', dir]
  try {
    return JSON.parse(execFileSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' })) as Report
  } catch (error) {
    // It ends with 1 when it finds something.
    return JSON.parse((error as { stdout: string }).stdout) as Report
  }
}

it('The linter reports every promise that nobody awaits, with and without void, wherever it stands', () => {
  const paths = [
    'src/main/a.ts',
    'src/renderer/a.tsx',
    'src/practice/a.ts',
    'scripts/a.mjs',
    'bench/b/a.ts',
    'test/a.test.ts',
  ]
  const { diagnostics } = lint(projectWith(paths))
  const found = diagnostics.filter(({ code }) => /no-floating-promises|no-void/.test(code))
  for (const path of paths) {
    const lines = found.filter(({ filename }) => filename.endsWith(path)).map(({ labels }) => labels[0]!.span.line)
    expect([path, ...new Set(lines.sort())]).toEqual([path, ...REPORTED])
  }
})

it('No file is exempt from the rules about promises', () => {
  const config = JSON.parse(readFileSync(CONFIG, 'utf8')) as {
    ignorePatterns: string[]
    rules: Record<string, unknown>
    overrides: { rules?: Record<string, unknown> }[]
  }
  expect(config.rules['typescript/no-floating-promises']).toEqual([
    'error',
    { ignoreVoid: false, checkThenables: true },
  ])
  expect(config.rules['no-void']).toBe('error')
  expect(config.ignorePatterns).toEqual(['out', 'dist', 'coverage'])
  for (const { rules = {} } of config.overrides)
    expect(Object.keys(rules).filter((name) => /floating-promises|no-void/.test(name))).toEqual([])
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path)),
  )
  expect(files.filter((path) => /oxlintrc|eslintrc|eslintignore/.test(path))).toEqual([])
  // A comment that turns off rules names each of them, and never one of these.
  const turnedOff = files
    .filter((path) => /\.(ts|tsx|js|mjs|cjs)$/.test(path))
    .flatMap((path) => readFileSync(join(ROOT, path), 'utf8').match(/(?:ox|es)lint-disable.*/g) ?? [])
    .map((comment) => comment.replace(/ --.*/, ''))
  for (const comment of turnedOff)
    expect(comment).toMatch(/-disable-next-line (no-(control-regex|unused-vars)|max-lines-per-function)$/)
})
