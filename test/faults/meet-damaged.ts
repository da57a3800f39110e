/** Meets one damaged journal after the other, by the seeds that its parent sends, and says how each ended. */
import process from 'node:process'
import { DamagedWorld } from './damaged-world.ts'

const world = await DamagedWorld.open()
const meet = async (seed: number) => {
  process.send!(await world.meet(seed))
}
process.on('message', (seed: number) => {
  meet(seed).catch((error: unknown) => {
    throw error
  })
})
process.once('disconnect', () => {
  world.close().catch(() => undefined)
})
process.send!('ready')
