import { CircleAlert, CirclePause, Unplug, Upload, X, type LucideIcon } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { t } from 'i18next'
import type { Confirmation } from '../../shared/contract/intake.ts'
import { wordedReason, type BackgroundTask, type StoppedTask } from '../../shared/runtime/background.ts'
import { isOnDesktop } from '../bridge/connect.ts'
import { useConnection } from '../bridge/connection.ts'
import { askOrToast } from '../store/bridge.ts'
import { dismissFailure, usePageTrouble } from '../store/page-trouble.ts'
import { useShell } from '../store/shell-store.ts'
import { useBatchPrice } from '../store/use-batch-price.ts'
import { goTo, showOverlay, useView } from '../store/view-store.ts'
import { Button, IconButton } from '../parts/button.tsx'
import { useSpoken } from '../parts/speech.tsx'
import { splitPath } from '../parts/split-path.ts'

export function Bars() {
  const confirmation = useShell(({ state }) => state?.confirmations[0])
  const isShort = useShell(({ state }) => state?.service?.hold?.code === 'credits_short')
  const held = useShell(({ state }) => state?.counts.held ?? 0)
  return (
    <>
      <ConnectionBar />
      <PageTroubleBar />
      <StoppedTasksBar />
      <AwayBar />
      <UploadBar />
      {confirmation === undefined ? null : <PriceBar {...confirmation} />}
      {isShort && held > 0 ? <CreditsBar held={held} /> : null}
    </>
  )
}

interface BarProps {
  Icon: LucideIcon
  text: string
  more?: string | null
  isAlert?: boolean
  /** Its figures change constantly: `useSpoken` announces them now and then. */
  isLive?: boolean
  children: ReactNode
}

function Bar({ Icon, text, more = null, isAlert = false, isLive = false, children }: BarProps) {
  useSpoken(isLive ? text : null)
  return (
    <div className="frame-bar" role={isAlert ? 'alert' : 'status'} aria-live={isLive ? 'off' : undefined}>
      <Icon size={16} aria-hidden />
      <p className="figures">
        {text}
        {more === null ? null : <span className="secondary"> {more}</span>}
      </p>
      {children}
    </div>
  )
}

function ConnectionBar() {
  const { state, isSilent } = useConnection()
  const isLost = state !== 'open'
  if (!isLost && !isSilent) return null
  return (
    <div className="frame-bar lost" role="status">
      <p>{t(isLost ? 'frame:lost' : isOnDesktop ? 'frame:silent.desktop' : 'frame:silent.web')}</p>
    </div>
  )
}

function PageTroubleBar() {
  const { trouble } = usePageTrouble()
  if (trouble === null) return null
  return (
    <Bar Icon={CircleAlert} isAlert text={t(`frame:pageTrouble.${trouble}`)}>
      <Button onClick={() => location.reload()}>{t('frame:broken.reload')}</Button>
      {trouble === 'failed' ? <Dismiss onClick={dismissFailure} /> : null}
    </Bar>
  )
}

function Dismiss({ onClick }: { onClick: () => void }) {
  return (
    <IconButton label={t('common:dismiss')} onClick={onClick}>
      <X size={14} aria-hidden />
    </IconButton>
  )
}

/** Tasks that are not retried by themselves. */
const ONCE: ReadonlySet<BackgroundTask> = new Set([
  'files_handed_over',
  'link_open',
  'page_call',
  'page_recover',
  'sending',
  'unexpected',
])

function StoppedTasksBar() {
  const stopped = useShell(({ state }) => state?.stopped)
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set())
  const shown = (stopped ?? []).filter((one) => !hidden.has(keyOf(one)))
  const [first] = shown
  const folder = useShell(({ state }) => state?.folders.find(({ id }) => id === first?.subject))
  if (first === undefined) return null
  const words = [
    t(`frame:stopped.task.${first.task}`, { folder: folder === undefined ? '…' : splitPath(folder.path).name }),
    t(`frame:stopped.why.${wordedReason(first.code)}`),
    ONCE.has(first.task) ? '' : t('frame:stopped.again'),
  ]
  const more = shown.length > 1 ? t('common:andMore', { count: shown.length - 1 }) : null
  return (
    <Bar Icon={CircleAlert} text={words.join(' ').trim()} more={more}>
      <Button onClick={() => goTo('settings', { section: 'data' })}>{t('frame:stopped.log')}</Button>
      <Dismiss onClick={() => setHidden(new Set([...hidden, ...shown.map(keyOf)]))} />
    </Bar>
  )
}

/** `sinceMs` is part of the key, so that a task that fails again after it worked is shown again. */
const keyOf = ({ task, subject, sinceMs }: StoppedTask): string => `${task} ${subject ?? ''} ${sinceMs}`

function AwayBar() {
  const away = useShell(({ state }) => state?.away) ?? []
  const [first] = away
  if (first === undefined) return null
  const { batchId: id, paths, count } = first
  const more = away.length > 1 ? t('frame:spend.more', { count: away.length - 1 }) : null
  return (
    <Bar Icon={Unplug} text={t('frame:away.waits', { count, path: paths[0] })} more={more}>
      <Button onClick={() => askOrToast('batches.stopWaiting', { id })}>{t('frame:away.stop')}</Button>
    </Bar>
  )
}

function UploadBar() {
  const { upload } = useConnection()
  const isShown = useView(({ overlay }) => overlay?.kind === 'upload')
  if (upload === null || upload.isOver || isShown) return null
  const { done, total } = upload
  const text = `${t('intake:upload.title')}: ${t('intake:upload.done', { done, count: total, total })}`
  return (
    <Bar Icon={Upload} text={text} isLive>
      <Button onClick={() => showOverlay({ kind: 'upload' })}>{t('intake:upload.show')}</Button>
    </Bar>
  )
}

function PriceBar({ batchId, held, confirmable }: Confirmation) {
  const more = useShell(({ state }) => (state?.confirmations.length ?? 1) - 1)
  const { value: price } = useBatchPrice(batchId, held)
  const shown = { count: held }
  const words = () => {
    if (!confirmable) return t('frame:spend.capped', shown)
    if (price === null) return t('frame:spend.waits', shown)
    return t('frame:spend.waitsPriced', { ...shown, credits: price.required })
  }
  return (
    <Bar Icon={CirclePause} text={more > 0 ? `${words()} ${t('frame:spend.more', { count: more })}` : words()} isLive>
      <Button onClick={() => showOverlay({ kind: 'confirmSpend', batchId })}>{t('frame:spend.review')}</Button>
    </Bar>
  )
}

function CreditsBar({ held }: { held: number }) {
  const { value: price } = useBatchPrice(null, held)
  const words = () => {
    if (price === null || price.images === 0) return t('frame:trouble.creditsShort.explains')
    const { images, required, balance } = price
    return t('frame:short', { count: images, needed: required, balance })
  }
  return (
    <Bar Icon={CirclePause} text={words()} isLive>
      <Button onClick={() => goTo('credits')}>{t('common:places.credits')}</Button>
      <Button onClick={() => askOrToast('queue.resume', {})}>{t('common:retry')}</Button>
    </Bar>
  )
}
