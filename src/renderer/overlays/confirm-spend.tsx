import { useEffect } from 'react'
import { t } from 'i18next'
import { straightText } from '../../shared/text/safe-characters.ts'
import type { Confirmation } from '../../shared/contract/intake.ts'
import type { SentenceCode } from '../../shared/sentences/sentence.ts'
import { ask } from '../store/bridge.ts'
import { useShell } from '../store/shell-store.ts'
import { useAttempt } from '../store/use-attempt.ts'
import { useBatchPrice } from '../store/use-batch-price.ts'
import { goTo, showOverlay } from '../store/view-store.ts'
import { errorText, sentenceIn } from '../store/error-text.ts'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { FieldError } from '../parts/field.tsx'
import { PriceLine } from '../intake/intake-facts.tsx'
import '../intake/intake.css'

const close = () => showOverlay(null)

/** Asks for approval of a spend, with its price. Closes by itself once nothing is held any more. */
export function ConfirmSpend({ batchId }: { batchId: string }) {
  const confirmation = useShell(({ state }) => state?.confirmations.find((other) => other.batchId === batchId))
  useEffect(() => {
    if (confirmation === undefined) close()
  }, [confirmation])
  return confirmation === undefined ? null : <Ask confirmation={confirmation} />
}

function Ask({ confirmation }: { confirmation: Confirmation }) {
  const { batchId, held, confirmable } = confirmation
  const { isBusy, failure, attempt } = useAttempt()
  const settle = (channel: 'batches.confirm' | 'batches.cancel') =>
    attempt(async () => {
      const result = await ask(channel, { id: batchId })
      if (!result.ok) return errorText(result.error)
      close()
      return null
    })
  return (
    <Dialog
      title={t('intake:spend.title', { count: held })}
      onClose={close}
      actions={
        <>
          <Button kind="danger" className="first" disabled={isBusy} onClick={() => settle('batches.cancel')}>
            {t('intake:spend.cancel', { count: held })}
          </Button>
          <Button data-autofocus onClick={close}>
            {t('intake:spend.later')}
          </Button>
          {confirmable ? (
            <Button kind="primary" disabled={isBusy} onClick={() => settle('batches.confirm')}>
              {t('intake:spend.agree')}
            </Button>
          ) : (
            <Button kind="primary" onClick={() => goTo('settings', { overlay: null, section: 'spending' })}>
              {t('intake:spend.settings')}
            </Button>
          )}
        </>
      }
    >
      <div className="stack">
        <Why confirmation={confirmation} />
        {confirmable ? <BatchPrice batchId={batchId} held={held} /> : null}
        <div className="stack tight secondary">
          {confirmable ? <p>{t('intake:spend.means')}</p> : null}
          <p>{t('intake:spend.cancelMeans')}</p>
        </div>
        <FieldError text={failure} />
      </div>
    </Dialog>
  )
}

/** Caps for which this dialog has a text of its own and a link to the setting. */
const CAPS = {
  cap_per_day: 'perDay',
  cap_per_month: 'perMonth',
  cap_per_folder: 'perFolderPerDay',
} as const satisfies Partial<Record<SentenceCode, string>>

function Why({ confirmation: { kind, folderId, confirmable, detail } }: { confirmation: Confirmation }) {
  const folder = useShell(({ state }) => state?.folders.find(({ id }) => id === folderId))
  const cap = detail !== null && 'code' in detail ? CAPS[detail.code as keyof typeof CAPS] : undefined
  const other = detail === null ? t('intake:spend.capped') : sentenceIn(detail)
  return (
    <>
      {kind === 'folder' && folder !== undefined ? (
        <p className="ellipsis" title={straightText(folder.path)}>
          {t('intake:spend.inFolder')} <bdi>{straightText(folder.path)}</bdi>
        </p>
      ) : null}
      <p>
        {confirmable
          ? t('intake:spend.burst', { limit: folder?.askAbove ?? 100 })
          : cap === undefined
            ? other
            : t(`intake:spend.cap.${cap}`)}
      </p>
    </>
  )
}

function BatchPrice({ batchId, held }: { batchId: string; held: number }) {
  const { value: price, error, again } = useBatchPrice(batchId, held)
  if (error !== null)
    return (
      <div className="intake-error" role="alert">
        <p>{t('intake:spend.noPrice', { why: errorText(error) })}</p>
        <Button onClick={again}>{t('common:retry')}</Button>
      </div>
    )
  if (price === null) return <p className="secondary">{t('intake:spend.asking')}</p>
  const { shortfall } = price
  return (
    <div>
      <PriceLine price={price} />
      {shortfall > 0 ? <p className="is-held">{t('intake:price.short', { count: shortfall })}</p> : null}
    </div>
  )
}
