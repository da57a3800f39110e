import { SIDECAR_VERSION, type Sidecar } from '../../src/shared/jobs/sidecar.ts'
import { sha256 } from './temp-folder.ts'

/** The sidecar of photo.jpg, which has the content `photo`, without texts or outputs. */
export function makeSidecar(changes: Partial<Sidecar> = {}): Sidecar {
  return {
    hangar: SIDECAR_VERSION,
    source: { name: 'photo.jpg', sha256: sha256('photo'), sizeBytes: 5 },
    service: { id: 'practice', jobId: null, imageId: null },
    recipe: {
      operation: 'process',
      sent: 'process',
      languages: ['en'],
      format: 'webp',
      naming: 'original',
      metadata: 'keep',
      minSavingPercent: 0,
    },
    translations: [],
    outputs: [],
    notes: [],
    madeAt: '2026-01-01T00:00:00.000Z',
    ...changes,
  }
}
