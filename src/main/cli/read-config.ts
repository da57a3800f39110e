import { open, stat } from 'node:fs/promises'
import type { z } from 'zod'
import { listText } from '../../shared/text/list-text.ts'
import { countText } from '../core/english-figures.ts'
import { memberPath } from '../core/member-path.ts'
import { readJson } from '../core/read-json.ts'
import { ConfigFile } from './config-shape.ts'

/** Something wrong with a configuration: the path of a member, as in `folders[0].path`, empty for the whole file; and what. */
export interface Problem {
  path: string
  message: string
}

export type ReadConfig = { ok: true; config: ConfigFile } | { ok: false; problems: Problem[] }

/** A thousand folders with many patterns take less. */
const MAX_MB = 5

/** A configuration from a file, with all that is wrong with it; never throws. */
export async function readConfigFile(file: string): Promise<ReadConfig> {
  try {
    // Opening a pipe would wait for a writer.
    if (!(await stat(file)).isFile()) return wrong(`${file} is not a file.`)
    const handle = await open(file)
    try {
      const stats = await handle.stat()
      if (!stats.isFile()) return wrong(`${file} is not a file.`)
      if (stats.size > MAX_MB * 1_000_000) return wrong(`A configuration has at most ${MAX_MB} MB.`)
      return readConfig(await handle.readFile())
    } finally {
      await handle.close()
    }
  } catch (error) {
    return wrong(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  }
}

export function readConfig(bytes: Uint8Array): ReadConfig {
  const read = readJson(bytes)
  return 'wrong' in read ? wrong(read.wrong) : checkConfig(read.value)
}

export function checkConfig(value: unknown): ReadConfig {
  const parsed = ConfigFile.safeParse(value)
  if (parsed.success) return { ok: true, config: parsed.data }
  return { ok: false, problems: parsed.error.issues.flatMap(problemsOf) }
}

const wrong = (message: string): { ok: false; problems: Problem[] } => ({
  ok: false,
  problems: [{ path: '', message }],
})

export function problemsOf(issue: z.core.$ZodIssue): Problem[] {
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({
      path: memberPath([...issue.path, key]),
      message: 'There is no such member. Check its name, or leave it out.',
    }))
  return [{ path: memberPath(issue.path), message: messageOf(issue) }]
}

function messageOf(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `${issue.message.endsWith('undefined') ? 'This is missing: give' : 'Give'} ${KINDS[issue.expected] ?? issue.expected}.`
    case 'invalid_value':
      return oneOf(issue.values)
    case 'invalid_union':
      return oneOf(
        'options' in issue && issue.options !== undefined
          ? issue.options
          : issue.errors.flat().flatMap((inner) => (inner.code === 'invalid_value' ? inner.values : [])),
      )
    case 'too_small':
      return `Give ${issue.inclusive === false ? 'more than' : 'at least'} ${amount(issue.minimum, issue.origin)}.`
    case 'too_big':
      return `Give ${issue.inclusive === false ? 'less than' : 'at most'} ${amount(issue.maximum, issue.origin)}.`
    default:
      return `${issue.message.charAt(0).toUpperCase()}${issue.message.slice(1).replace(/\.$/, '')}.`
  }
}

const KINDS: Partial<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list, in [ ]',
  object: 'an object, in { }',
}

const oneOf = (values: readonly unknown[]) =>
  `Give ${values.length === 1 ? '' : 'one of '}${listText(
    values.map((value) => JSON.stringify(value)),
    'en',
  )}.`

function amount(limit: number | bigint, origin: string): string {
  if (origin === 'string') return countText(Number(limit), 'character')
  return origin === 'array' ? countText(Number(limit), 'entry', 'entries') : String(limit)
}
