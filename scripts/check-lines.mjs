/**
 * How large src is: the lines of its TypeScript and CSS in Git. `node scripts/check-lines.mjs` fails above the number in size-limit.json,
 * which only ever goes down.
 */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { root, run, say } from './project.mjs'

/** How far the count may be below the limit before the limit is to be lowered. */
export const SLACK_LINES = 200

/** The lines of src as they are on the disk; a file that was deleted counts as empty. Throws outside a Git checkout. */
export async function countLines(dir = root) {
  const { code, text } = await run('git', ['ls-files', '-z', 'src/*.ts', 'src/*.tsx', 'src/*.css'], {
    cwd: dir,
    output: 'capture',
  })
  if (code !== 0) throw new Error(`The lines of src cannot be counted: ${text.trim()}`)
  return text.split('\0').reduce((sum, name) => sum + (name === '' ? 0 : linesOf(path.join(dir, name))), 0)
}

function linesOf(file) {
  try {
    return readFileSync(file, 'utf8').split('\n').length - 1
  } catch (error) {
    if (error.code === 'ENOENT') return 0
    throw error
  }
}

/** Whether `lines` are within the limit, and what is to be done; `advice` is null for nothing. */
export function judgeLines(lines, limit) {
  if (lines > limit)
    return {
      isOk: false,
      advice: `src has ${lines} lines, ${lines - limit} more than its limit of ${limit}. Take something away: the limit is not raised.`,
    }
  if (lines < limit - SLACK_LINES)
    return {
      isOk: true,
      advice: `src has ${lines} lines, ${limit - lines} below its limit. Lower srcLines in scripts/size-limit.json.`,
    }
  return { isOk: true, advice: null }
}

if (process.argv[1] === import.meta.filename) {
  const { srcLines } = JSON.parse(readFileSync(path.join(root, 'scripts', 'size-limit.json'), 'utf8'))
  const { isOk, advice } = judgeLines(await countLines(), srcLines)
  if (advice !== null) say(advice)
  if (!isOk) process.exitCode = 1
}
