import { createReadStream } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import process from 'node:process'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { AppError } from '../../shared/sentences/errors.ts'
import { say } from '../../shared/sentences/sentence.ts'
import { decodeText } from '../core/decode-text.ts'

export interface ListFlags {
  filesFrom?: string
  null?: boolean
}

const STANDARD_INPUT = '-'

export function addListOptions(command: Command): Command {
  return command
    .option('--files-from <file>', `also the paths in this file, a line each; ${STANDARD_INPUT} is standard input`)
    .option('-0, --null', 'in --files-from, a NUL ends each path, as find -print0 writes it')
}

/**
 * The paths of a command line, with those of the list that it names; a path `-` stands for a list on standard input. Throws `bad_request` for a list
 * that is not there.
 */
export async function withListed(
  paths: readonly string[],
  { filesFrom, null: byNul }: ListFlags,
  cwd: string,
): Promise<string[]> {
  const named = paths.filter((path) => path !== STANDARD_INPUT)
  const list = filesFrom ?? (named.length < paths.length ? STANDARD_INPUT : null)
  if (list === null) return named
  const source = list === STANDARD_INPUT ? process.stdin : createReadStream(resolve(cwd, list))
  const bytes = await buffer(source).catch((error: NodeJS.ErrnoException) => {
    throw new AppError('bad_request', say('path_missing', { path: list }), { cause: error })
  })
  const listed = byNul === true ? bytes.toString() : decodeText(bytes)
  return [...named, ...listed.split(byNul === true ? '\0' : /\r?\n/).filter((path) => path !== '')]
}
