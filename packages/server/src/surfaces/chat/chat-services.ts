import type { ChatModel } from '../../ports/chat-model.js';

export interface ChatServices {
  /** The first one answers if the call names none. */
  chatModels: readonly ChatModel[];
}
