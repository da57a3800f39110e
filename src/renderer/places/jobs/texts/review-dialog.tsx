import { Check, ImageOff } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { JobDetail } from '../../../../shared/contract/jobs.ts'
import { picturePath } from '../../../../shared/contract/page-bridge.ts'
import { inBackground } from '../../../bridge/in-background.ts'
import { reviewJobs } from '../../../store/jobs-actions.ts'
import { endReview, stepReview, useTextWork } from '../../../store/text-work.ts'
import { toast } from '../../../store/toasts.ts'
import { Button } from '../../../parts/button.tsx'
import { Dialog } from '../../../parts/dialog.tsx'
import { Empty } from '../../../parts/empty.tsx'
import { FileName } from '../../../parts/file-name.tsx'
import { errorText } from '../../../store/error-text.ts'
import { countText } from '../../../text/figures.ts'
import { AltTexts } from '../detail/alt-texts.tsx'
import { useDetail } from '../detail/use-detail.ts'
import { reviewKey } from './review-keys.ts'
import { viewed } from '../../../bridge/viewed.ts'
import './review.css'

/** Reviews the texts of one picture after another, by keyboard alone or with the mouse. */
export default function ReviewDialog() {
  const { t, i18n } = useTranslation(['edits', 'detail'])
  const review = useTextWork((work) => work.review)
  if (review === null) return null
  const { ids, at } = review
  const id = ids[at] ?? null
  const figures = { at: countText(at + 1, i18n.language), total: countText(ids.length, i18n.language) }
  return (
    <Dialog title={id === null ? t('review.title') : t('review.titleAt', figures)} onClose={endReview} wide>
      {id === null ? <Finished count={ids.length} /> : <OnePicture key={id} id={id} at={at} />}
    </Dialog>
  )
}

function Finished({ count }: { count: number }) {
  const { t, i18n } = useTranslation(['edits', 'detail'])
  const end = useRef<HTMLDivElement>(null)
  useEffect(() => end.current?.querySelector('button')?.focus(), [])
  return (
    <div ref={end} className="review-end" role="status">
      <Empty text={t('review.finished', { count, figure: countText(count, i18n.language) })}>
        <Button kind="primary" onClick={endReview}>
          {t('review.close')}
        </Button>
      </Empty>
    </div>
  )
}

function OnePicture({ id, at }: { id: string; at: number }) {
  const { t } = useTranslation(['edits', 'detail'])
  const { detail, error } = useDetail(id)
  const root = useRef<HTMLDivElement>(null)
  useEffect(() => root.current?.focus(), [])
  // The language that E and C act on: the one a person was in last, at first the first.
  const field = useRef<HTMLTextAreaElement | null>(null)
  const acts = useActs(root, field, detail)
  const onKeyDown = (event: React.KeyboardEvent) => {
    const act = reviewKey(event, event.target as Element)
    if (act === null) return
    event.preventDefault()
    acts[act]()
  }
  return (
    <div
      ref={root}
      className="review"
      tabIndex={-1}
      data-autofocus
      onKeyDown={onKeyDown}
      onFocus={({ target }) => {
        if (target instanceof HTMLTextAreaElement) field.current = target
      }}
    >
      <Picture id={id} detail={detail} />
      <div className="review-side">
        <div className="review-texts">
          {detail === null ? (
            <p role="status">{error === null ? null : t('detail:failed', { message: errorText(error) })}</p>
          ) : (
            <AltTexts detail={detail} />
          )}
        </div>
        <div className="review-acts">
          <ActButton label={t('review.previous')} keys="K" onClick={acts.previous} disabled={at === 0} />
          <ActButton label={t('review.next')} keys="J" onClick={acts.next} />
          <ActButton label={t('review.edit')} keys="E" onClick={acts.edit} />
          <ActButton label={t('review.copy')} keys="C" onClick={acts.copy} />
          <ActButton label={t('detail:texts.decorative')} keys="D" onClick={acts.decorative} />
          <ActButton label={t('review.approve')} keys="A" onClick={acts.approve} isMain />
        </div>
      </div>
    </div>
  )
}

type Act = 'previous' | 'next' | 'edit' | 'copy' | 'decorative' | 'approve' | 'saveAndApprove' | 'leaveField'

function useActs(
  root: React.RefObject<HTMLDivElement | null>,
  field: React.RefObject<HTMLTextAreaElement | null>,
  detail: JobDetail | null,
): Record<Act, () => void> {
  const { t } = useTranslation(['edits', 'detail', 'common'])
  const text = () => field.current ?? root.current?.querySelector<HTMLTextAreaElement>('textarea')
  const approve = () => {
    if (detail === null) return
    const { id, review } = detail.row
    if (review === 'needed') inBackground('review.approve', () => reviewJobs([id], true))
    stepReview(1)
  }
  return {
    previous: () => stepReview(-1),
    next: () => stepReview(1),
    edit: () => text()?.focus(),
    copy: () => {
      navigator.clipboard.writeText(text()?.value ?? '').then(
        () => toast(t('common:copied')),
        () => toast(t('common:copyFailed'), { bad: true }),
      )
    },
    decorative: () => root.current?.querySelector<HTMLInputElement>('input[data-decorative]')?.click(),
    approve,
    // A field that unmounts saves what was typed.
    saveAndApprove: approve,
    leaveField: () => root.current?.focus(),
  }
}

function ActButton(props: { label: string; keys: string; onClick: () => void; disabled?: boolean; isMain?: boolean }) {
  const { label, keys, onClick, disabled = false, isMain = false } = props
  return (
    <Button kind={isMain ? 'primary' : 'plain'} disabled={disabled} aria-keyshortcuts={keys} onClick={onClick}>
      {isMain ? <Check size={14} aria-hidden /> : null}
      {label}
      <kbd aria-hidden>{keys}</kbd>
    </Button>
  )
}

function Picture({ id, detail }: { id: string; detail: JobDetail | null }) {
  const { t } = useTranslation(['edits', 'detail'])
  const [isLacking, setLacking] = useState(false)
  const row = detail?.row ?? null
  return (
    <figure className="review-picture">
      {row === null ? null : isLacking ? (
        <p className="review-lacking">
          <ImageOff size={20} aria-hidden />
          {t('detail:compare.noPicture')}
        </p>
      ) : (
        <img
          src={viewed(picturePath(id, 'original', row.replaced ? row.updatedAtMs : row.createdAtMs))}
          alt={t('review.picture')}
          onError={() => setLacking(true)}
        />
      )}
      <figcaption>{row === null ? null : <FileName name={row.name} />}</figcaption>
    </figure>
  )
}
