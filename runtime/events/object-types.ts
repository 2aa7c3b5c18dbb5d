import type { DailySalt } from './salts.ts'

export interface Methods {
  dirEventSalt(): Promise<DailySalt>
}
