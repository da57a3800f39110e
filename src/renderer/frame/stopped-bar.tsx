import { CircleAlert, X } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { wordedReason, type BackgroundTask, type StoppedTask } from '../../shared/runtime/background.ts'
import { usePageTrouble } from '../store/page-trouble.ts'
import { useShell } from '../store/shell-store.ts'
import { goTo } from '../store/view-store.ts'
import { Button, IconButton } from '../parts/button.tsx'
import { splitPath } from '../parts/split-path.ts'

/** Tasks that are not retried by themselves. */
const ONCE: ReadonlySet<BackgroundTask> = new Set([
  'files_handed_over',
  'link_open',
  'page_call',
  'page_recover',
  'practice_restart',
  'practice_start',
  'sending',
  'sign_in_link',
  'unexpected',
])

/** Over the content while something that runs in the background has stopped, of the page itself or of Hangar behind it. */
export function StoppedBar() {
  return (
    <>
      <PageTroubleBar />
      <StoppedTasksBar />
    </>
  )
}

function PageTroubleBar() {
  const { t } = useTranslation('frame')
  const trouble = usePageTrouble()
  if (trouble === null) return null
  return (
    <div className="frame-bar" role="alert">
      <CircleAlert size={16} aria-hidden />
      <p>{t(`pageTrouble.${trouble}`)}</p>
      <Button onClick={() => location.reload()}>{t('broken.reload')}</Button>
    </div>
  )
}

function StoppedTasksBar() {
  const { t } = useTranslation(['frame', 'common'])
  const stopped = useShell(({ state }) => state?.stopped)
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set())
  const shown = (stopped ?? []).filter((one) => !hidden.has(keyOf(one)))
  const [first] = shown
  if (first === undefined) return null
  return (
    <div className="frame-bar" role="status">
      <CircleAlert size={16} aria-hidden />
      <p>
        <Sentence stopped={first} />
        {shown.length > 1 ? <span className="secondary"> {t('stopped.more', { count: shown.length - 1 })}</span> : null}
      </p>
      <Button onClick={() => goTo('settings', { section: 'log' })}>{t('stopped.log')}</Button>
      <IconButton label={t('common:dismiss')} onClick={() => setHidden(new Set([...hidden, ...shown.map(keyOf)]))}>
        <X size={14} aria-hidden />
      </IconButton>
    </div>
  )
}

function Sentence({ stopped: { task, subject, code } }: { stopped: StoppedTask }) {
  const { t } = useTranslation('frame')
  const folder = useShell(({ state }) => state?.folders.find(({ id }) => id === subject))
  const what = t(`stopped.task.${task}`, { folder: folder === undefined ? '…' : splitPath(folder.path).name })
  const why = t(`stopped.why.${wordedReason(code)}`)
  return ONCE.has(task) ? `${what} ${why}` : `${what} ${why} ${t('stopped.again')}`
}

/** `sinceMs` is part of the key, so that a task that fails again after it worked is shown again. */
const keyOf = ({ task, subject, sinceMs }: StoppedTask): string => `${task} ${subject ?? ''} ${sinceMs}`
