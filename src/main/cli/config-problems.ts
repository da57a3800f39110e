import type { z } from 'zod'
import { listText } from '../../shared/text/list-text.ts'
import { countText } from '../core/english-figures.ts'
import { memberPath } from '../core/member-path.ts'
import type { Cli } from './command.ts'
import { sayFirst } from './figures.ts'

/** `path`: of a member, as in `folders[0].path`; empty for the whole file. */
export interface Problem {
  path: string
  message: string
}

/** People are shown this many; a program gets all. */
const MAX_SHOWN = 50

export function sayProblems({ terminal }: Pick<Cli, 'terminal'>, problems: readonly Problem[]): null {
  for (const problem of problems) terminal.json({ event: 'problem', ...problem })
  const lines = problems.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`))
  sayFirst(terminal, lines, 'more problem', MAX_SHOWN)
  return null
}

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
