import { echoModel } from './echo.ts'
import { scaffoldModel } from './scaffold/scaffold.ts'
import type { ChatRequest } from './wire.ts'

/** Who asked: the API key tells callers apart, and `signal` is aborted when the client goes away. */
interface ModelCall {
  key: string
  signal: AbortSignal
}

/** A model of this server: a program that answers a chat request over the OpenAI wire. */
export interface LocalModel {
  id: string
  respond(request: ChatRequest, call: ModelCall): Response | Promise<Response>
}

/** Models that need nothing from the server; the scripted one is added by the routes, which own its scripts. */
export const programs: LocalModel[] = [scaffoldModel, echoModel]
