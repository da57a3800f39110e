import i18next from 'i18next'
import type { JobState } from '../../shared/reasons.ts'
import type { UiSettings } from '../../shared/ui-contract.ts'
import { order } from '../store/bridge.ts'
import { sayRemoved } from '../store/jobs-actions.ts'
import { useShell } from '../store/shell-store.ts'
import { toast } from '../ui/toasts.tsx'

const FINISHED: JobState[] = ['done', 'skipped', 'cancelled']

/** Takes finished jobs from the list and offers to put them back; files stay. */
export async function clearFinished(): Promise<void> {
  const taken = await order('jobs.remove', { states: FINISHED })
  if (taken === null) return
  sayRemoved(taken)
}

export async function reconcileAll(): Promise<void> {
  if ((await order('folders.reconcile', { id: null })) !== null) toast(i18next.t('frame:palette.reconciling'))
}

export async function changeAppearance(part: Partial<UiSettings['appearance']>): Promise<void> {
  const before = useShell.getState().state?.settings.appearance
  if (before !== undefined) await order('settings.set', { appearance: { ...before, ...part } })
}
