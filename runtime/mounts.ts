// Made by `npm run generate` from the folders of runtime/. Do not edit.
import { mount as assets } from './assets/mount.ts'
import { mount as auth } from './auth/mount.ts'
import { mount as data } from './data/mount.ts'
import { mount as files } from './files/mount.ts'
import type { Mount } from './kernel/mount.ts'

export const MOUNTS: Readonly<Record<string, Mount>> = {
  auth,
  data,
  files,
  assets,
}
