// The client of Anthropic's SDK with what the observer uses: 224 kB of code instead of 705. The build makes a file of its
// own of it, which is loaded at the first request.
import { BaseAnthropic } from '@anthropic-ai/sdk/client';
import { Messages } from '@anthropic-ai/sdk/resources/messages';

export class MessagesClient extends BaseAnthropic {
  readonly messages = new Messages(this);
}
