// The open default the platform is checked against on its own; an app carries the types of its `app.json`
// here.
export interface Collections {
  [name: string]: { record: AnyRecord; input: Record<string, unknown>; indexed: string; unique: string }
}
interface AnyRecord {
  id: string
  ownerId: string | null
  rev: number
  createdAt: string
  updatedAt: string
  [field: string]: unknown
}
/** What a task of `ai` answers, by its name. */
// eslint-disable-next-line typescript/no-explicit-any -- the types of an app say it
export type AiTasks = Record<string, any>
export type AiTaskName = keyof AiTasks & string
export type MeterKey = string
export type TeamRole = string
export type QueueName = string
export type FlowName = string
export type RoomName = string
export type EventName = string
export type ProviderId = string
export type JobName = string
export type PagePath = string
