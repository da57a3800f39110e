import i18next from 'i18next'
import type { JobState } from '../../shared/reasons.ts'
import type { UiSettings } from '../../shared/ui-contract.ts'
import { order } from '../store/bridge.ts'
import { inBackground } from '../store/in-background.ts'
import { useShell } from '../store/shell-store.ts'
import { countText } from '../text/figures.ts'
import { toast } from '../ui/toasts.tsx'

const FINISHED: JobState[] = ['done', 'skipped', 'cancelled']

/** Takes finished jobs from the list and offers to put them back; files stay. */
export async function clearFinished(): Promise<void> {
  const taken = await order('jobs.remove', { states: FINISHED })
  if (taken === null) return
  const { removed, undo } = taken
  const text = i18next.t('frame:palette.cleared', { count: removed, shown: countText(removed, i18next.language) })
  const putBack = (token: string) => () => inBackground('jobs.putBack', () => order('jobs.putBack', { undo: token }))
  toast(text, undo === null ? {} : { action: { label: i18next.t('common:undo'), run: putBack(undo) } })
}

export async function reconcileAll(): Promise<void> {
  if ((await order('folders.reconcile', { id: null })) !== null) toast(i18next.t('frame:palette.reconciling'))
}

export async function changeAppearance(part: Partial<UiSettings['appearance']>): Promise<void> {
  const before = useShell.getState().state?.settings.appearance
  if (before !== undefined) await order('settings.set', { appearance: { ...before, ...part } })
}
