/**
 * `node test/faults/damaged-journals-main.ts COUNT [FIRST_SEED [AT_ONCE]]`: COUNT journals with random damage, how each
 * problem came about, and how they ended.
 */
import process from 'node:process'
import { meetDamaged } from './damaged-journals.ts'

const [count = 100, firstSeed = 1, atOnce = 2] = process.argv.slice(2).map(Number)
const startedMs = performance.now()
const seconds = () => Math.round((performance.now() - startedMs) / 1000)
let met = 0
const { problems, ...figures } = await meetDamaged({
  count,
  firstSeed,
  atOnce,
  tell: (end) => {
    met += 1
    if (end.problem !== null) console.log(JSON.stringify(end))
    if (met % 500 === 0) console.error(`${met} of ${count} in ${seconds()} s`)
  },
})
console.log(JSON.stringify({ count, firstSeed, seconds: seconds(), ...figures, problems: problems.length }))
process.exitCode = problems.length === 0 ? 0 : 1
