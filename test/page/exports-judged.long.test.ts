import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import type { ExportedJob } from '../../src/shared/presentation/export-jobs.ts'
import { exportTexts } from '../../src/main/page/export-texts.ts'
import { describeWith, need, programs } from '../needs.ts'
import { folderForAll } from '../temp-folder.ts'
import { oddJobs } from './odd-exports.ts'

const run = promisify(execFile)
/** Where php-symfony-translation of Debian has the schema that OASIS published for XLIFF 2.0. */
const SCHEMAS = '/usr/share/php/Symfony/Component/Translation/Resources/schemas'

const dir = folderForAll()

async function written(name: string, text: string): Promise<string> {
  const file = join(dir, name)
  await writeFile(file, text)
  return file
}

const HAS_SCHEMA = need('php-symfony-translation', existsSync(join(SCHEMAS, 'xliff-core-2.0.xsd')))

describeWith(programs('xmllint'), HAS_SCHEMA)('XLIFF, by the schema of OASIS', () => {
  /** What is wrong with it; empty for a valid document. */
  const judge = async (text: string): Promise<string> => {
    const of = await readFile(join(SCHEMAS, 'xliff-core-2.0.xsd'), 'utf8')
    const schema = await written(
      'xliff.xsd',
      of.replace(/schemaLocation="[^"]*"/, `schemaLocation="${SCHEMAS}/xml.xsd"`),
    )
    const file = await written('document.xlf', text)
    return run('xmllint', ['--nonet', '--noout', '--schema', schema, file]).then(
      () => '',
      ({ stderr }: { stderr: string }) => stderr,
    )
  }
  const document = (jobs: readonly ExportedJob[], from: string, to?: string) =>
    exportTexts(jobs, { format: 'xliff', from, to }, false).text

  it.each([
    ['odd words and names', () => document(oddJobs(), 'en', 'de')],
    ['a language from right to left', () => document(oddJobs(), 'he', 'en')],
    ['no target', () => document(oddJobs(), 'en')],
  ])('is valid with %s', async (_, make) => {
    const text = make()
    expect(await judge(text)).toBe('')
    // The judge looks at each of them.
    expect(await judge(text.replace('<unit id="alt"', '<unit id="not a token"'))).toContain('not a token')
  })
})
