import type { User } from '../auth/types.ts'
import type { CollectionName, InputOf, ListPage, Query, RecordOf } from '../data/types.ts'
import type { RoomName } from '../types.gen.ts'
import type { TestRoom } from './rooms.ts'

/** A response. `body` is the parsed value when the response is JSON. */
export interface TestAnswer {
  status: number
  headers: Headers
  // `any`, because the test itself asserts what the body contains.
  // eslint-disable-next-line typescript/no-explicit-any -- a test reads fields of it without naming their type
  body: any
}

export interface TestApp {
  fetch(path: string, init?: RequestInit): Promise<Response>
  get(path: string): Promise<TestAnswer>
  post(path: string, body?: unknown): Promise<TestAnswer>
  put(path: string, body?: unknown): Promise<TestAnswer>
  patch(path: string, body?: unknown): Promise<TestAnswer>
  delete(path: string): Promise<TestAnswer>
  /** Data access with the rights of the signed-in person, or of a visitor. */
  data: TestData & {
    /** The records of one team or person. `partition` is the id of the team or person. */
    of(partition: string): TestData
  }
  /** Enters a live room. Rejects when the signed-in person or visitor may not enter. */
  room(name: RoomName, id: string, options?: { partition?: string }): Promise<TestRoom>
}

export interface TestData {
  create<C extends CollectionName>(collection: C, fields: InputOf<C>): Promise<RecordOf<C>>
  get<C extends CollectionName>(collection: C, id: string): Promise<RecordOf<C>>
  list<C extends CollectionName>(collection: C, query?: Query<C>): Promise<ListPage<RecordOf<C>>>
}

export interface PersonApp extends TestApp {
  user: User
  /** Adds a device of this person that receives notifications. */
  addDevice(): Promise<{ id: string }>
}
