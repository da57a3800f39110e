import type { ServiceStatus } from '../../shared/contract/queue.ts'
import type { WaitReason } from '../../shared/sentences/reasons.ts'
import { reasonText } from '../../shared/sentences/reason-text.ts'

export type Unreachable = NonNullable<ServiceStatus['unreachable']>

/** Whether waiting does not help: a person has to update Hangar or correct the settings. */
export const isFinal = ({ code }: Unreachable): boolean => code === 'ledger_newer' || code === 'ledger_refused'

export const isLedger = (code: WaitReason | null): boolean => code?.startsWith('ledger_') === true

/** The same, but null while the team ledger is being tried for the first time. */
export function afterFirstTry(unreachable: Unreachable | null): Unreachable | null {
  return unreachable?.code === 'ledger_away' && unreachable.detail === null ? null : unreachable
}

export function unreachableText({ code, detail }: Unreachable): string {
  return isLedger(code)
    ? reasonText({ code, detail })
    : 'The service does not answer. Nothing more is sent until it does.'
}
