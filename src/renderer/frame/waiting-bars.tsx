import { CirclePause } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Confirmation } from '../../shared/contract/intake.ts'
import { inBackground } from '../bridge/in-background.ts'
import { askOrToast } from '../store/bridge.ts'
import { useShell } from '../store/shell-store.ts'
import { useBatchPrice } from '../store/use-batch-price.ts'
import { goTo, showOverlay } from '../store/view-store.ts'
import { countText } from '../text/figures.ts'
import { Button } from '../parts/button.tsx'
import { useSpoken } from '../parts/speech.tsx'

/** Over the content while pictures wait for a person to approve their price, or for credits. */
export function WaitingBars() {
  const first = useShell(({ state }) => state?.confirmations[0])
  const isShort = useShell(({ state }) => state?.service?.hold?.code === 'credits_short')
  const held = useShell(({ state }) => state?.counts.held ?? 0)
  return (
    <>
      {first === undefined ? null : <PriceBar {...first} />}
      {isShort && held > 0 ? <CreditsBar held={held} /> : null}
    </>
  )
}

/** The first batch, and how many more there are. */
function PriceBar({ batchId, held, confirmable }: Confirmation) {
  const { t, i18n } = useTranslation('frame')
  const more = useShell(({ state }) => (state?.confirmations.length ?? 1) - 1)
  const { answer } = useBatchPrice(batchId, held)
  const shown = { count: held, shown: countText(held, i18n.language) }
  const words = () => {
    if (!confirmable) return t('spend.capped', shown)
    if (!answer?.ok) return t('spend.waits', shown)
    return t('spend.waitsPriced', { ...shown, credits: countText(answer.value.required, i18n.language) })
  }
  return (
    <Bar text={more > 0 ? `${words()} ${t('spend.more', { count: more })}` : words()}>
      <Button onClick={() => showOverlay({ kind: 'confirmSpend', batchId })}>{t('spend.review')}</Button>
    </Bar>
  )
}

/** How many credits the pictures need, and how many there are. */
function CreditsBar({ held }: { held: number }) {
  const { t, i18n } = useTranslation(['frame', 'common'])
  const { answer } = useBatchPrice(null, held, 0)
  const count = (figure: number) => countText(figure, i18n.language)
  const words = () => {
    if (answer?.ok !== true || answer.value.images === 0) return t('trouble.creditsShort.explains')
    const { images, required, balance } = answer.value
    return t('short', { count: images, shown: count(images), needed: count(required), balance: count(balance) })
  }
  return (
    <Bar text={words()}>
      <Button onClick={() => goTo('credits')}>{t('common:places.credits')}</Button>
      <Button onClick={() => inBackground('waiting-bars.again', () => askOrToast('queue.resume', {}))}>
        {t('common:retry')}
      </Button>
    </Bar>
  )
}

function Bar({ text, children }: { text: string; children: ReactNode }) {
  useSpoken(text)
  return (
    // The figures change constantly: `useSpoken` announces them now and then instead.
    <div className="frame-bar" role="status" aria-live="off">
      <CirclePause size={16} aria-hidden />
      <p className="figures">{text}</p>
      {children}
    </div>
  )
}
