import type { FileRef, LoadFile } from '../agent/loop/files.ts'
import { ModelFailure } from '../agent/model/failure.ts'
import { type Modality, modelFacts } from '../agent/model/models.data.ts'
import { findAttachments, loadAttachments } from './load.ts'
import type { Db, Trx } from '../db/database.ts'
import type { ProjectIds } from '../db/tables/projects.ts'
import { ApiError } from '../http/errors.ts'
import type { PlatformPorts } from '../platform.ts'
import type { ChosenModel } from '../connections/models/access.ts'

const MODALITY_NAMES: Record<Modality, string> = { images: 'images', pdfs: 'PDFs' }

/**
 * Returns the attachments of these keys for the model that will read them. Throws 400 for a key that is not an attachment
 * of the project, and 412 when the model cannot read images or PDFs that are attached.
 */
export async function requireReadableAttachments(
  db: Db | Trx,
  project: ProjectIds,
  chosen: Pick<ChosenModel, 'connection' | 'modelId'>,
  keys: readonly string[] | undefined,
): Promise<FileRef[]> {
  if (keys === undefined || keys.length === 0) return []
  const files = await findAttachments(db, project, keys)
  const readable = acceptedModalities(chosen.connection, chosen.modelId)
  const needed = files.map(({ mediaType }): Modality => (mediaType === 'application/pdf' ? 'pdfs' : 'images'))
  const missing = [...new Set(needed)].filter((modality) => !readable.includes(modality))
  if (missing.length > 0) {
    const what = missing.map((modality) => MODALITY_NAMES[modality]).join(' and ')
    throw new ApiError('attachments_unsupported', `The model ${chosen.modelId} cannot read ${what}.`)
  }
  return files.map(({ key, mediaType }) => ({ key, mediaType }))
}

/** Returns the kinds of files that a model accepts beside text: those set in the connection, or else those in `modelFacts`. */
export const acceptedModalities = (
  { modalities }: Pick<ChosenModel['connection'], 'modalities'>,
  modelId: string,
): readonly string[] => modalities ?? modelFacts(modelId).modalities

/**
 * Loads a project's attachments for the model calls of a run. An attachment that cannot be loaded ends the
 * run with the reason.
 */
export function fileLoader(platform: PlatformPorts<'accounts'>, project: ProjectIds): LoadFile {
  return async (key) => {
    try {
      const [file] = await loadAttachments(platform, project, [key])
      if (file !== undefined) return file.bytes
    } catch (error) {
      if (error instanceof ApiError)
        throw new ModelFailure(error.message, { kind: 'unavailable', cause: error })
      throw error
    }
    throw new Error(`no attachment ${key}`)
  }
}
