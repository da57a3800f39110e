import type { Reason } from '../../shared/sentences/reasons.ts'

/** Held because a cap is reached: nobody can approve that, but the cap can be changed. */
export function isCapped({ code, detail }: Reason): boolean {
  return code === 'spend_guard' && detail !== null && 'code' in detail && detail.code.startsWith('cap_')
}
