import { parseArgs } from 'node:util'
import type { PracticeOptions } from './protocol.ts'
import { startPractice } from './server.ts'
import type { PracticeServer } from './server.ts'

const OPTIONS = {
  port: { type: 'string' },
  credits: { type: 'string' },
  chargers: { type: 'string' },
  seed: { type: 'string' },
  'job-time-ms': { type: 'string' },
  ledger: { type: 'string' },
  json: { type: 'boolean' },
} as const

function wholeNumberOption(name: string, text: string): number {
  if (!/^\d+$/.test(text)) throw new Error(`--${name} takes a whole number, not "${text}".`)
  return Number(text)
}

/**
 * `--port N --credits N --chargers N --seed N --job-time-ms N --ledger FILE --json`. Throws an error with a user-readable
 * message for an unknown or invalid option.
 */
export function practiceArguments(args: string[]): { options: PracticeOptions; json: boolean } {
  const { values } = parseArgs({ args, options: OPTIONS, strict: true })
  const number = (name: 'port' | 'credits' | 'chargers' | 'seed' | 'job-time-ms'): number | undefined => {
    const text = values[name]
    return text === undefined ? undefined : wholeNumberOption(name, text)
  }
  const jobTimeMs = number('job-time-ms')
  const given = {
    port: number('port'),
    credits: number('credits'),
    chargers: number('chargers'),
    seed: number('seed'),
    ledgerFile: values.ledger,
    jobTime: jobTimeMs === undefined ? undefined : { kind: 'fixed', ms: jobTimeMs },
  }
  const options = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  return { options, json: values.json ?? false }
}

/**
 * The standalone practice service of `hangar practice`: starts it and prints its addresses and keys. The keys are valid for
 * nothing else, and expire with the process. The caller closes the server on shutdown.
 */
export async function runPracticeAlone(
  options: PracticeOptions,
  print: (line: string) => void,
  json = false,
): Promise<PracticeServer> {
  const server = await startPractice(options)
  const { imageBaseUrl, chargerBaseUrl, apiKey, partnerToken } = server
  if (json) {
    print(JSON.stringify({ type: 'ready', imageBaseUrl, chargerBaseUrl, apiKey, partnerToken }))
    return server
  }
  print('The practice service is running. Nothing leaves this computer, and no real credits are spent.')
  print(`  Image service    ${imageBaseUrl}`)
  print(`  API key          ${apiKey}`)
  print(`  Charger service  ${chargerBaseUrl}   (sample data, not for navigation)`)
  print(`  Partner token    ${partnerToken}`)
  print('Stop it with Ctrl+C.')
  return server
}
