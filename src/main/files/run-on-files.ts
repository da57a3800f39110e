import { spawn } from 'node:child_process'
import type { FileHandle } from 'node:fs/promises'
import { errorCode } from '../../shared/runtime/error-code.ts'

/** How the program addresses the files that it is given, in their order. */
export const GIVEN = ['/proc/self/fd/3', '/proc/self/fd/4'] as const

/** What a program printed that works on open files, for what Node has no call for; null where it is missing or fails. Linux only. */
export function runOnFiles(
  program: string,
  args: readonly string[],
  files: readonly FileHandle[],
  input = '',
): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      stdio: ['pipe', 'pipe', 'ignore', ...files.map(({ fd }) => fd)],
      env: { PATH: process.env['PATH'], LC_ALL: 'C' },
    })
    let output = ''
    child.on('error', (error) => {
      if (['ENOENT', 'EACCES', 'ENOTDIR'].includes(errorCode(error))) resolve(null)
      else reject(error)
    })
    child.on('close', (code) => {
      resolve(code === 0 ? output : null)
    })
    child.stdin!.on('error', () => undefined)
    child.stdin!.end(input)
    child.stdout!.setEncoding('utf8').on('data', (text: string) => (output += text))
  })
}
