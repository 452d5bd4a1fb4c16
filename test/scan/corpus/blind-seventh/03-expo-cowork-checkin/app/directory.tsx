import { Link } from 'expo-router';
import { useDeferredValue, useState } from 'react';
import { FlatList, Text, TextInput } from 'react-native';
import { useDirectory } from '../src/hooks/usePassport';

export default function Directory() {
  const [text, setText] = useState('');
  const query = useDirectory(useDeferredValue(text));
  const people = query.data?.pages.flatMap((page) => page.passports) ?? [];

  return (
    <FlatList
      data={people}
      keyExtractor={(item) => String(item.passport_id)}
      ListHeaderComponent={<TextInput value={text} onChangeText={setText} placeholder="Find a member" />}
      ListEmptyComponent={<Text>Nobody here.</Text>}
      onEndReached={() => query.hasNextPage && query.fetchNextPage()}
      renderItem={({ item }) => (
        <Link href={`/member/${item.main_wallet}`}>
          <Text>
            {item.passport_profile?.display_name || 'Unnamed'} ({item.score})
            {item.passport_profile?.tags.includes('mentor') ? ' ★' : ''}
          </Text>
        </Link>
      )}
    />
  );
}
