import { TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { straightText } from '../../shared/text/safe-characters.ts'
import { compresses } from '../../shared/recipes/recipe-facts.ts'
import type { UiRecipe } from '../../shared/contract/places.ts'
import { pickFolder } from '../pickers/pick-folder.tsx'
import { inBackground } from '../bridge/in-background.ts'
import { NamesField } from './names-field.tsx'
import { writesFiles } from './recipe-draft.ts'
import { Button } from '../parts/button.tsx'
import { ChoiceList } from '../parts/choice-list.tsx'

type OutputKind = UiRecipe['output']['kind']

/** Where results go and how they are named. Choosing "folder" asks for one, and takes effect once there is one. */
export function OutputFields(given: {
  draft: UiRecipe
  change: (part: Partial<UiRecipe>) => void
  error: string | null
}) {
  const { draft, change, error } = given
  const { t } = useTranslation('recipe')
  const { output } = draft
  const replaces = compresses(draft.operation)
  const chooseFolder = async () => {
    const place = await pickFolder(t('output.pickTitle'))
    if (place !== null) change({ output: { kind: 'folder', dir: place.token, path: place.path } })
  }
  const choose = (kind: OutputKind) => {
    if (kind === 'folder') inBackground('output-fields.chooseFolder', chooseFolder)
    else change({ output: { kind } })
  }
  return (
    <>
      <ChoiceList
        label={t('output.label')}
        value={output.kind}
        onChange={choose}
        error={error}
        options={[
          { value: 'beside', label: t('output.beside'), hint: t('output.hint.beside') },
          {
            value: 'folder',
            label: t('output.folder'),
            hint:
              output.kind === 'folder' ? (
                <ChosenFolder path={output.path} onChange={() => choose('folder')} />
              ) : (
                t('output.hint.folder')
              ),
          },
          {
            value: 'replace',
            label: t('output.replace'),
            hint: t(replaces ? 'output.hint.replace' : 'output.hint.replaceOff'),
            disabled: !replaces,
          },
        ]}
      />
      {output.kind === 'replace' && replaces ? (
        <ReplaceFields
          losesExtras={draft.replaceLosesExtras}
          onChange={(replaceLosesExtras) => change({ replaceLosesExtras })}
        />
      ) : null}
      {writesFiles(draft.operation, draft.convertOn) ? <NamesField draft={draft} change={change} /> : null}
    </>
  )
}

function ChosenFolder({ path, onChange }: { path: string; onChange: () => void }) {
  const { t } = useTranslation('recipe')
  return (
    <span className="recipe-folder">
      <bdi className="recipe-path" dir="ltr">
        {straightText(path)}
      </bdi>
      <Button onClick={onChange}>{t('output.change')}</Button>
    </span>
  )
}

/** What replacing originals means, and whether it also happens where something in them would be lost. */
function ReplaceFields({ losesExtras, onChange }: { losesExtras: boolean; onChange: (losesExtras: boolean) => void }) {
  const { t } = useTranslation('recipe')
  return (
    <>
      <p className="recipe-warning" role="status">
        <TriangleAlert size={16} aria-hidden />
        {t('output.replaceWarning')}
      </p>
      <ChoiceList
        label={t('extras.label')}
        value={losesExtras ? 'replace' : 'leave'}
        onChange={(choice) => onChange(choice === 'replace')}
        options={(['leave', 'replace'] as const).map((value) => ({
          value,
          label: t(`extras.${value}`),
          hint: t(`extras.hint.${value}`),
        }))}
      />
    </>
  )
}
