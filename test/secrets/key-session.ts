/** One start of the secret store in a process of its own: does what its argument says (JSON), prints the outcome as JSON. */
import { fork } from 'node:child_process'
import path from 'node:path'
import { realClock } from '../../src/main/engine/real-clock.ts'
import { openSecrets } from '../../src/main/secrets/open-secrets.ts'
import { takeEnvironmentKeys } from '../../src/main/secrets/take-environment-keys.ts'
import type { ChildPort, SecretName } from '../../src/shared/runtime/ports.ts'

export type Step =
  ['get' | 'delete' | 'placeOf', SecretName, string] | ['set', SecretName, string, string] | ['describe', string | null]

export interface SessionPlan {
  steps: Step[]
  origins?: Partial<Record<SecretName, string>>
  probeTimeoutMs?: number
}

const children: ChildPort = {
  spawn: (entry) => {
    // The whole environment, as the most careless port would: what was taken out of it must be gone.
    const child = fork(path.resolve(import.meta.dirname, `../../src/main/secrets/${entry}.ts`), { execArgv: [] })
    return {
      send: (message) => child.send(message as object),
      onMessage: (listener) => {
        child.on('message', listener)
      },
      onExit: (listener) => {
        child.on('exit', listener)
      },
      kill: () => {
        child.kill('SIGKILL')
      },
    }
  },
}

const plan = JSON.parse(process.argv[2] ?? '') as SessionPlan
const { keys } = await takeEnvironmentKeys()
const store = openSecrets({
  children,
  clock: realClock,
  keys,
  origins: plan.origins ?? {},
  seen: () => undefined,
  ...(plan.probeTimeoutMs === undefined ? {} : { probeTimeoutMs: plan.probeTimeoutMs }),
})
const outcomes: unknown[] = []
for (const step of plan.steps) outcomes.push(await take(step))
process.stdout.write(`${JSON.stringify(outcomes)}\n`)

async function take(step: Step): Promise<unknown> {
  if (step[0] === 'describe') return store.describe('image', step[1])
  if (step[0] === 'set') return (await store.set(step[1], step[2], step[3])) ?? null
  if (step[0] !== 'placeOf') return (await store[step[0]](step[1], step[2])) ?? null
  return (await store.get(step[1], step[2])) === null ? null : (await store.describe(step[1], step[2])).place
}
