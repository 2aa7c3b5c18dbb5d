import type { FileRef, FilesBinding } from './types.ts'

export interface Methods extends FilesBinding {
  takeFiles(files: FileRef[]): Promise<void>
}
