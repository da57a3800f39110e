import type { ServiceStatus } from '../../shared/contract/queue.ts'
import type { WaitReason } from '../../shared/sentences/reasons.ts'
import { reasonText } from '../../shared/sentences/reason-text.ts'

export type Unreachable = NonNullable<ServiceStatus['unreachable']>

/** Whether waiting does not help: a person has to update Hangar or correct the settings. */
export const isFinal = ({ code }: Unreachable): boolean => code === 'ledger_newer' || code === 'ledger_refused'

const kindOf = (code: WaitReason): 'ledger' | 'files' | 'service' =>
  code.startsWith('ledger_') ? 'ledger' : code === 'too_few_files' ? 'files' : 'service'

/** Each kind of trouble with the service itself is told in the same sentence; those with the ledger are told apart. */
export const isToldAlike = (one: WaitReason, other: WaitReason): boolean =>
  one === other || (kindOf(one) === 'service' && kindOf(other) === 'service')

/** The same, but null while the team ledger is being tried for the first time. */
export function afterFirstTry(unreachable: Unreachable | null): Unreachable | null {
  return unreachable?.code === 'ledger_away' && unreachable.detail === null ? null : unreachable
}

export function unreachableText({ code, detail }: Unreachable): string {
  return kindOf(code) === 'service'
    ? 'The service does not answer. Nothing more is sent until it does.'
    : reasonText({ code, detail })
}

const OVER = {
  ledger: 'The team ledger can be used again.',
  files: 'More connections may be opened again.',
  service: 'The service answers again.',
}

/** Null while it is followed by trouble of its own kind. */
export function overText(before: WaitReason, now: WaitReason | null): string | null {
  return now !== null && kindOf(before) === kindOf(now) ? null : OVER[kindOf(before)]
}
