import { useTranslation } from 'react-i18next'
import type { IntakePreview } from '../../shared/contract/intake.ts'
import { listText } from '../../shared/text/list-text.ts'
import { countText, sizeText } from '../text/figures.ts'
import { FileName } from '../parts/file-name.tsx'
import type { UiRecipe } from '../../shared/contract/places.ts'
import { mayLeaveOut } from '../../shared/recipes/recipe-facts.ts'

/** How many pictures there are, how many are new, and which are refused and why. */
export function IntakeFacts({ preview }: { preview: IntakePreview }) {
  const { t, i18n } = useTranslation('intake')
  const { pictures, totalBytes, toSend, free, done, nothingToDo, refused, refusals, estimated } = preview
  const count = (figure: number) => countText(figure, i18n.language)
  const about = (figure: number) => (estimated ? t('about', { shown: count(figure) }) : count(figure))
  return (
    <>
      <dl className="intake-facts figures">
        <div>
          <dt>{t('facts.pictures')}</dt>
          <dd>{count(pictures)}</dd>
          <dd className="secondary">{sizeText(totalBytes, i18n.language)}</dd>
        </div>
        <div>
          <dt>{t('facts.toSend')}</dt>
          <dd>{about(toSend)}</dd>
          <dd className="secondary">{t('facts.toSendMeans')}</dd>
        </div>
        {free === 0 ? null : (
          <div>
            <dt>{t('facts.free')}</dt>
            <dd>{about(free)}</dd>
            <dd className="secondary">{t('facts.freeMeans')}</dd>
          </div>
        )}
        {done === 0 ? null : (
          <div>
            <dt>{t('facts.done')}</dt>
            <dd>{about(done)}</dd>
            <dd className="secondary">{t('facts.doneMeans')}</dd>
          </div>
        )}
        {nothingToDo === 0 ? null : (
          <div>
            <dt>{t('facts.nothingToDo')}</dt>
            <dd>{about(nothingToDo)}</dd>
            <dd className="secondary">{t('facts.nothingToDoMeans')}</dd>
          </div>
        )}
        {refused === 0 ? null : (
          <div className="intake-refused">
            <dt>{t('facts.refused')}</dt>
            <dd>{about(refused)}</dd>
            <dd className="secondary">{t('facts.refusedMeans')}</dd>
          </div>
        )}
      </dl>
      {refusals.length === 0 ? null : <Refusals refusals={refusals} refused={refused} />}
      <ForeignFolders preview={preview} />
    </>
  )
}

/** The folders that are left out because other programs keep them. */
export function ForeignFolders({ preview: { foreign } }: { preview: IntakePreview }) {
  const { t, i18n } = useTranslation('intake')
  const { count, first } = foreign
  if (count === 0) return null
  const names = listText(count > first.length ? [...first, '…'] : first, i18n.language)
  return <p className="secondary">{t('foreign', { count, shown: countText(count, i18n.language), names })}</p>
}

function Refusals({ refusals, refused }: Pick<IntakePreview, 'refusals' | 'refused'>) {
  const { t, i18n } = useTranslation(['intake', 'reasons'])
  const more = refused - refusals.length
  return (
    <details className="intake-details">
      <summary>{t('refusals')}</summary>
      <ul>
        {refusals.map(({ name, reason }, n) => (
          <li key={n} className="intake-refusal">
            <FileName name={name} />
            <span className="secondary">{t(`reasons:reason.${reason.code}.short`)}</span>
          </li>
        ))}
      </ul>
      {more > 0 ? (
        <p className="secondary">{t('refusalsMore', { count: more, shown: countText(more, i18n.language) })}</p>
      ) : null}
    </details>
  )
}

const MAX_SHOWN = 3

/** The expected output names of a few pictures. */
export function NameExamples({ examples, recipe }: Pick<IntakePreview, 'examples'> & { recipe: UiRecipe }) {
  const { t } = useTranslation(['intake', 'recipe'])
  if (examples.length === 0) return null
  return (
    <section className="intake-names">
      <h3>{t('names')}</h3>
      <dl>
        {examples.slice(0, MAX_SHOWN).map(({ source, outputs }, n) => (
          <div key={n}>
            <dt>
              <FileName name={source} />
            </dt>
            <dd>
              {outputs.map((name) => (
                <FileName key={name} name={name} />
              ))}
            </dd>
          </div>
        ))}
      </dl>
      {mayLeaveOut(recipe) ? <p className="secondary">{t('recipe:preview.leftOut')}</p> : null}
    </section>
  )
}
