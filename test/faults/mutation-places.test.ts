import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { call, mutate, withoutStatement } from './mutate.ts'
import { MUTATIONS } from './mutations.ts'

const ROOT = resolve(import.meta.dirname, '../..')

describe('every measure of safety that is taken out for a test', () => {
  it.each(MUTATIONS)('has its place in the source: $without', (mutation) => {
    const changed = mutate(mutation)
    expect(changed).not.toBe(readFileSync(join(ROOT, mutation.file), 'utf8'))
    const { diagnostics } = ts.transpileModule(changed, {
      reportDiagnostics: true,
      compilerOptions: { target: ts.ScriptTarget.Latest, module: ts.ModuleKind.ESNext },
    })
    expect(diagnostics).toEqual([])
  })

  it('says what is missing when its place is gone', () => {
    const [file, change] = ['src/main/files/stage-file.ts', withoutStatement(call('noSuchCall'))]
    expect(() => mutate({ file, in: 'stageFile', change })).toThrow(
      'src/main/files/stage-file.ts, stageFile: call of noSuchCall is there 0 times, not once',
    )
    expect(() => mutate({ file, in: 'noSuchFunction', change })).toThrow('"noSuchFunction" stands there 0 times')
  })
})
