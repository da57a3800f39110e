import { ImageOff, Maximize, ZoomIn, ZoomOut } from 'lucide-react'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { JobRow } from '../../../../shared/contract/jobs.ts'
import { changeText, sizeText } from '../../../text/figures.ts'
import { Button, IconButton } from '../../../parts/button.tsx'
import { Segmented } from '../../../parts/field.tsx'
import { bytesOf, laterKinds, pictureAddress } from './picture-address.ts'
import { usePictureView, type PictureView } from './use-picture-view.ts'
import './compare.css'

type After = ReturnType<typeof laterKinds>[number]

/** The picture before and after, with a divider between them; zoomed and moved together. */
export function Compare({ row, isLarge = false }: { row: JobRow; isLarge?: boolean }) {
  const { t } = useTranslation('detail')
  const [chosen, setChosen] = useState<After>('optimized')
  const kinds = laterKinds(row)
  const after = kinds.includes(chosen) ? chosen : (kinds[0] ?? null)
  const size = row.width === null || row.height === null ? null : { width: row.width, height: row.height }
  const view = usePictureView(size, isLarge)
  return (
    <figure className={isLarge ? 'compare large' : 'compare'} aria-label={t('compare.title')}>
      <div className="compare-tools">
        {kinds.length > 1 && after !== null ? (
          <Segmented
            label={t('compare.after')}
            value={after}
            onChange={setChosen}
            choices={kinds.map((kind) => ({ value: kind, label: t(`compare.${kind}`) }))}
          />
        ) : null}
        <ZoomButtons view={view} />
      </div>
      <Pictures row={row} after={after} view={view} />
      <Sizes row={row} after={after} />
    </figure>
  )
}

function Pictures({ row, after, view }: { row: JobRow; after: After | null; view: PictureView }) {
  const { t } = useTranslation('detail')
  const [share, setShare] = useState(0.5)
  const [lacking, setLacking] = useState<ReadonlySet<string>>(new Set())
  const before = pictureAddress(row, 'original')
  const later = after === null ? null : pictureAddress(row, after)
  const isLacking = (address: string | null) => address !== null && lacking.has(address)
  const both = later !== null && !isLacking(later) && !isLacking(before)
  const only = isLacking(before) ? later : before
  const { placed, box, setBox, shape, handlers, focusable } = view
  // The divider applies to the visible part.
  const from = Math.max(0, placed.left)
  const to = Math.min(box.width, placed.left + placed.width)
  const at = from + share * (to - from)
  const picture = (address: string, text: string) => (
    <Picture
      key={address}
      address={address}
      text={text}
      view={view}
      onLack={(one) => setLacking((known) => new Set([...known, one]))}
    />
  )
  const setAt = (x: number) => setShare(to > from ? Math.min(1, Math.max(0, (x - from) / (to - from))) : 0.5)
  if (only === null || (isLacking(only) && !both))
    return (
      <div className="compare-box none">
        <ImageOff size={20} aria-hidden />
        <p className="secondary">{t('compare.noPicture')}</p>
      </div>
    )
  return (
    <div
      ref={setBox}
      className="compare-box"
      style={shape}
      {...handlers(both ? { at, setAt } : null)}
      {...focusable(t('compare.picture'))}
    >
      {both ? picture(later, t(`compare.${after!}`)) : picture(only, t('compare.original'))}
      {both ? (
        <>
          <div className="compare-before" style={{ clipPath: `inset(0 calc(100% - ${at}px) 0 0)` }}>
            {picture(before, t('compare.original'))}
          </div>
          <Divider at={at} share={share} onShare={setShare} />
        </>
      ) : null}
    </div>
  )
}

interface PictureProps {
  address: string
  text: string
  view: PictureView
  onLack: (address: string) => void
}

function Picture({ address, text, view, onLack }: PictureProps) {
  const { left, top, width, height } = view.placed
  const image = useRef<HTMLImageElement>(null)
  const [isThere, setThere] = useState(false)
  const { onSize } = view
  const take = useCallback(
    ({ naturalWidth, naturalHeight }: HTMLImageElement) => {
      onSize({ width: naturalWidth, height: naturalHeight })
      setThere(true)
    },
    [onSize],
  )
  useEffect(() => {
    // A cached picture may have loaded before the listener was added.
    if (image.current?.complete === true && image.current.naturalWidth > 0) take(image.current)
  }, [take])
  return (
    <img
      ref={image}
      className={isThere ? 'there' : ''}
      src={address}
      alt={text}
      draggable={false}
      decoding="async"
      style={{ left, top, width, height }}
      onLoad={(event) => take(event.currentTarget)}
      onError={() => onLack(address)}
    />
  )
}

function Sizes({ row, after }: { row: JobRow; after: After | null }) {
  const { t, i18n } = useTranslation('detail')
  const bytes = after === null ? null : bytesOf(row, after)
  const change = bytes === null ? null : changeText(row.sizeBytes, bytes, i18n.language)
  return (
    <figcaption className="compare-sizes figures">
      <span>
        <span className="secondary">{t('compare.original')}</span> {sizeText(row.sizeBytes, i18n.language)}
      </span>
      {after === 'served' ? <span className="secondary">{t('compare.served')}</span> : null}
      {after === null || bytes === null ? null : (
        <span>
          <span className="secondary">{t(`compare.${after}`)}</span> {sizeText(bytes, i18n.language)}
          {change === null ? null : <b className={bytes < row.sizeBytes ? 'compare-saved' : ''}> {change}</b>}
        </span>
      )}
    </figcaption>
  )
}

/** The line between before and after. The slider is for the keyboard and screen readers. */
function Divider({ at, share, onShare }: { at: number; share: number; onShare: (share: number) => void }) {
  const { t, i18n } = useTranslation('detail')
  const percent = new Intl.NumberFormat(i18n.language, { style: 'percent' }).format(share)
  return (
    <>
      <input
        type="range"
        className="compare-slider"
        min={0}
        max={100}
        step={1}
        value={Math.round(share * 100)}
        aria-label={t('compare.divider')}
        aria-valuetext={t('compare.dividerAt', { share: percent })}
        onChange={(event) => onShare(Number(event.target.value) / 100)}
      />
      <div className="compare-divider" style={{ transform: `translateX(${at}px)` }} aria-hidden>
        <span className="compare-grip" />
      </div>
    </>
  )
}

function ZoomButtons({ view }: { view: PictureView }) {
  const { t, i18n } = useTranslation('detail')
  const percent = new Intl.NumberFormat(i18n.language, { style: 'percent', maximumFractionDigits: 0 })
  return (
    <div className="compare-zoom">
      {/* The size at which a picture opens is not announced, only the ones that a person chooses. */}
      <span className="caption figures" aria-live={view.isFit ? 'off' : 'polite'}>
        {view.isReady ? percent.format(view.placed.scale * devicePixelRatio) : ''}
      </span>
      <IconButton label={t('compare.zoomOut')} onClick={view.reduce} disabled={view.isFit}>
        <ZoomOut size={15} aria-hidden />
      </IconButton>
      <IconButton label={t('compare.zoomIn')} onClick={view.enlarge} disabled={!view.isReady}>
        <ZoomIn size={15} aria-hidden />
      </IconButton>
      <IconButton label={t('compare.fit')} onClick={view.fit} disabled={view.isFit}>
        <Maximize size={15} aria-hidden />
      </IconButton>
      <Button kind="quiet" onClick={view.actual} disabled={!view.isReady}>
        {t('compare.actual')}
      </Button>
    </div>
  )
}
