import { ImageOff, ZoomIn, ZoomOut } from 'lucide-react'
import { useCallback, useEffect, useRef, useState, type ReactNode } from 'react'
import i18next, { t } from 'i18next'
import type { JobDetail, JobRow } from '../../../../shared/contract/jobs.ts'
import { inBackground } from '../../../bridge/in-background.ts'
import { changeText, sizeText } from '../../../text/figures.ts'
import { Button, IconButton } from '../../../parts/button.tsx'
import { Segmented } from '../../../parts/field.tsx'
import { bytesOf, laterKinds, pictureAddress } from './picture-address.ts'
import { usePictureView, type PictureView } from './use-picture-view.ts'
import './compare.css'

type After = ReturnType<typeof laterKinds>[number]
export type Shown = 'original' | After

interface CompareProps {
  row: JobRow
  detail: JobDetail | null
  shown: Shown
  onShow: (shown: Shown) => void
  children: ReactNode
}

export function Compare({ row, detail, shown: wanted, onShow, children }: CompareProps) {
  const kinds = laterKinds(row)
  const shown = wanted === 'original' || kinds.includes(wanted) ? wanted : (kinds[0] ?? 'original')
  const size = row.width === null || row.height === null ? null : { width: row.width, height: row.height }
  const view = usePictureView(size)
  const converted = detail?.outputs.find(({ role }) => role === 'converted')?.type
  const name = (kind: Shown) =>
    (kind === 'converted' && converted !== undefined ? FORMATS[converted] : undefined) ?? t(`detail:outputs.${kind}`)
  return (
    <figure className="compare" aria-label={t('detail:compare.title')}>
      <Pictures row={row} after={shown === 'original' ? null : shown} view={view} name={name} />
      <figcaption className="compare-tools row">
        {kinds.length === 0 ? (
          <span>
            <FileSize row={row} kind="original" name={name('original')} />
          </span>
        ) : (
          <Segmented
            label={t('frame:notice.show')}
            value={shown}
            onChange={onShow}
            choices={(['original', ...kinds] as const).map((kind) => ({
              value: kind,
              label: <FileSize row={row} kind={kind} name={name(kind)} />,
            }))}
          />
        )}
        {children}
        <ZoomButtons view={view} />
      </figcaption>
    </figure>
  )
}

const FORMATS: Readonly<Record<string, string>> = { webp: 'WebP', avif: 'AVIF' }

function FileSize({ row, kind, name }: { row: JobRow; kind: Shown; name: string }) {
  const bytes = bytesOf(row, kind)
  if (bytes === null) return name
  const change = kind === 'original' ? null : changeText(row.sizeBytes, bytes)
  return (
    <>
      {name} <span className="compare-size figures">{[sizeText(bytes), change].join(' ').trim()}</span>
    </>
  )
}

interface PicturesProps {
  row: JobRow
  after: After | null
  view: PictureView
  name: (kind: Shown) => string
}

function Pictures({ row, after, view, name }: PicturesProps) {
  const [share, setShare] = useState(0.5)
  const [lacking, setLacking] = useState<ReadonlySet<string>>(new Set())
  const before = pictureAddress(row, 'original')
  const later = after === null ? null : pictureAddress(row, after)
  const isLacking = (address: string | null) => address !== null && lacking.has(address)
  const both = later !== null && !isLacking(later) && !isLacking(before)
  const only = isLacking(before) ? later : before
  const { placed, box, setBox, handlers, focusable } = view
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
        <p className="secondary">{t('detail:compare.noPicture')}</p>
      </div>
    )
  return (
    <div
      ref={setBox}
      className="compare-box"
      {...handlers(both ? { at, setAt } : null)}
      {...focusable(t('detail:compare.picture'))}
    >
      {view.isSharp ? null : <Rough row={row} view={view} />}
      {both ? picture(later, name(after!)) : picture(only, name(only === later ? after! : 'original'))}
      {both ? (
        <>
          <div className="compare-before" style={{ clipPath: `inset(0 calc(100% - ${at}px) 0 0)` }}>
            {picture(before, name('original'))}
          </div>
          <Divider at={at} share={share} onShare={setShare} />
        </>
      ) : null}
    </div>
  )
}

/** The thumbnail until the picture is there. */
function Rough({ row, view: { placed, onSize } }: { row: JobRow; view: PictureView }) {
  const { left, top, width, height } = placed
  return (
    <img
      className="compare-rough"
      src={pictureAddress(row, 'thumb')}
      alt=""
      style={{ left, top, width, height }}
      onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
        onSize({ width: naturalWidth, height: naturalHeight }, 'rough')
      }
    />
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
    (loaded: HTMLImageElement) =>
      inBackground(async () => {
        // Before it is decoded, only what is under it would be seen.
        await loaded.decode().catch(() => undefined)
        onSize({ width: loaded.naturalWidth, height: loaded.naturalHeight }, 'sharp')
        setThere(true)
      }),
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

/** The line between before and after. The slider is for the keyboard and screen readers. */
function Divider({ at, share, onShare }: { at: number; share: number; onShare: (share: number) => void }) {
  const percent = new Intl.NumberFormat(i18next.language, { style: 'percent' }).format(share)
  return (
    <>
      <input
        type="range"
        className="compare-slider"
        min={0}
        max={100}
        step={1}
        value={Math.round(share * 100)}
        aria-label={t('detail:compare.divider')}
        aria-valuetext={t('detail:compare.dividerAt', { share: percent })}
        onChange={(event) => onShare(Number(event.target.value) / 100)}
      />
      <div className="compare-divider" style={{ transform: `translateX(${at}px)` }} aria-hidden>
        <span className="compare-grip" />
      </div>
    </>
  )
}

function ZoomButtons({ view }: { view: PictureView }) {
  const percent = new Intl.NumberFormat(i18next.language, { style: 'percent', maximumFractionDigits: 0 })
  return (
    <div className="compare-zoom">
      <IconButton label={t('detail:compare.zoomOut')} onClick={view.reduce} disabled={view.isFit}>
        <ZoomOut size={15} aria-hidden />
      </IconButton>
      <Button
        kind="quiet"
        title={t(view.isFit ? 'detail:compare.actual' : 'detail:compare.fit')}
        onClick={view.toggle}
        disabled={!view.isReady}
      >
        {/* The size at which a picture opens is not announced, only the ones that a person chooses. */}
        <span className="figures" aria-live={view.isFit ? 'off' : 'polite'}>
          {view.isReady ? percent.format(view.placed.scale * devicePixelRatio) : null}
        </span>
      </Button>
      <IconButton label={t('detail:compare.zoomIn')} onClick={view.enlarge} disabled={!view.isReady}>
        <ZoomIn size={15} aria-hidden />
      </IconButton>
    </div>
  )
}
