import { SHORTCUTS } from '../../../../shared/presentation/shortcuts.ts'
import { isApple, matchesKeys, type Press } from '../../../parts/shortcut-keys.ts'

const KEYS = {
  ...SHORTCUTS.onStage,
  next: ['j', 'arrowright'],
  previous: ['k', 'arrowleft'],
  close: ['space'],
} as const

export type StageAct = keyof typeof KEYS | 'saveAndApprove' | 'leaveField'

const ACTS = Object.keys(KEYS) as (keyof typeof KEYS)[]

/** Null if the element handles the key itself. In a field letters are typed, Ctrl+Enter saves and approves, Escape leaves. */
export function stageKey(press: Press, target: { matches: (selectors: string) => boolean }): StageAct | null {
  const { key } = press
  if (target.matches('textarea, select, input:not([type=checkbox])')) {
    if (key === 'Enter' && (press.ctrlKey || press.metaKey)) return target.matches('textarea') ? 'saveAndApprove' : null
    return key === 'Escape' && target.matches('textarea, .input') ? 'leaveField' : null
  }
  if (key === ' ' && target.matches('button, a, input')) return null
  return ACTS.find((act) => KEYS[act].some((keys) => matchesKeys(keys, press, isApple))) ?? null
}
