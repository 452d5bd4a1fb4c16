import { Pipe, PipeTransform } from '@angular/core';

@Pipe({ standalone: true, name: 'shortAddress' })
export class ShortAddressPipe implements PipeTransform {
  transform(value: string | null): string {
    return value ? `${value.slice(0, 6)}…${value.slice(-4)}` : '';
  }
}
